/** The classes of all text inputs. */
export const inputStyle =
  "h-9 w-full rounded-md border border-edge bg-surface px-3 text-ink disabled:opacity-55 data-invalid:border-danger aria-invalid:border-danger";
