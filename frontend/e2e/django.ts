import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';

/** Run Python with the project's models (scripts/e2e_database.py). Return what it prints. */
export async function runInDjango(code: string): Promise<string> {
  const socket = connect(process.env.E2E_SOCKET ?? '');
  socket.end(code);
  const [status, ...printed] = (await readText(socket)).split('\n');
  if (status !== 'ok') throw new Error([status, ...printed].join('\n'));
  return printed.join('\n');
}

/** The name of the picture of `addPicture`. */
export const PICTURE = '0123456789abcdef01234567.jpg';

/** Add a picture to the library, unless it is there. */
export async function addPicture(): Promise<void> {
  await runInDjango(`
from pathlib import Path
from newsletter.campaigns.models import Picture
content = Path("static/media/og.jpg").read_bytes()
fields = {"content": content, "width": 1200, "height": 630, "alt_text_en": "A boat"}
Picture.objects.get_or_create(name="${PICTURE}", defaults=fields)`);
}
