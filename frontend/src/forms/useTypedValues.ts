import { type RefObject, useLayoutEffect, useState } from 'react';

type FormField = HTMLInputElement | HTMLSelectElement;

/**
 * Keep what the visitor has typed into the fields of a prerendered page when React renders the page anew, because a browser's
 * translator or an extension has changed it. Without such a change React keeps the fields themselves.
 *
 * Call it before an effect that reads the fields. They need a `name`.
 *
 * @param container the element with the fields
 */
export function useTypedValues(container: RefObject<HTMLElement | null>): void {
  const [prerendered] = useState(findPrerenderedFields);

  useLayoutEffect(() => {
    const { fields, focused } = prerendered;
    for (const field of findFields(container.current)) {
      const previous = fields.find((other) => isSameField(other, field));
      if (!previous || previous === field) continue;
      copyValue(previous, field);
      if (previous === focused) copyFocus(previous, field);
    }
  }, [container, prerendered]);
}

/** Return the fields that the visitor may have used before hydration. Elements keep their values when React removes them. */
function findPrerenderedFields() {
  const isPrerendered =
    typeof document === 'object' && document.documentElement.dataset.hydrated === undefined;
  return isPrerendered
    ? { fields: findFields(document.getElementById('root')), focused: document.activeElement }
    : { fields: [] };
}

function findFields(container: HTMLElement | null): FormField[] {
  return Array.from(container?.querySelectorAll<FormField>('input[name], select[name]') ?? []);
}

function isSameField(one: FormField, other: FormField): boolean {
  return one.name === other.name && (one.type !== 'radio' || one.value === other.value);
}

/** Copy the value if the visitor has changed it: the new field may know more of the address. */
function copyValue(from: FormField, to: FormField): void {
  if (from instanceof HTMLSelectElement) {
    if (!from.selectedOptions[0]?.defaultSelected) to.value = from.value;
  } else if (to instanceof HTMLInputElement) {
    if (from.value !== from.defaultValue) to.value = from.value;
    if (from.checked !== from.defaultChecked) to.checked = from.checked;
  }
}

function copyFocus(from: FormField, to: FormField): void {
  to.focus({ preventScroll: true });
  // A field for an email address has no selection.
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement && from.selectionStart !== null)
    to.setSelectionRange(from.selectionStart, from.selectionEnd);
}
