export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "medium" | "small" | "icon";

/** Returns the classes of a button, also for links that look like buttons. Icons have its size, whatever their own classes say. */
export const buttonStyle = (kind: ButtonKind = "secondary", size: ButtonSize = "medium"): string =>
  `ui-button ui-button-${kind} ui-button-${size} [&_svg]:size-4 [&_svg]:shrink-0`;
