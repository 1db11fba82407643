const fields =
  "input:not([type=hidden], [aria-hidden=true], :disabled), textarea, select, [role=combobox], [role=radio]";

/**
 * Returns the element of a dialog's content that gets the focus when it opens: the one that already has it, or the first field.
 * Returns undefined if there is no field.
 */
export const firstFieldOf = (content: HTMLElement | null): HTMLElement | undefined => {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && content?.contains(focused)) return focused;
  const found = [...(content?.querySelectorAll<HTMLElement>(fields) ?? [])];
  return found.find((field) => field.checkVisibility());
};
