export function NewsletterPage() {
  return (
    <main>
      <h1>Newsletter</h1>
    </main>
  );
}
