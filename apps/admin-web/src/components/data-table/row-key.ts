/** The effect of a key while a row has the focus. */
export type RowMove = { readonly to: number } | "open" | "select" | undefined;

/** Arrow keys move between rows, Home and End to the first and last. Enter opens, Space selects. */
export const rowMove = (key: string, index: number, count: number): RowMove => {
  const to = (wanted: number) => ({ to: Math.min(Math.max(wanted, 0), count - 1) });
  switch (key) {
    case "ArrowDown":
      return to(index + 1);
    case "ArrowUp":
      return to(index - 1);
    case "Home":
      return to(0);
    case "End":
      return to(count - 1);
    case "Enter":
      return "open";
    case " ":
      return "select";
    default:
      return undefined;
  }
};
