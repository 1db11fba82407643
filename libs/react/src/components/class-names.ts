/** Adds the classes of the application to one of ours. */
export const classNames = (own: string, given: string | undefined): string =>
  given ? `${own} ${given}` : own;
