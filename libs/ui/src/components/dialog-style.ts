/** The overlay that dims the page behind a dialog. */
export const backdropStyle =
  "fixed inset-0 z-40 bg-shade transition-opacity duration-quick data-starting-style:opacity-0 data-ending-style:opacity-0";

export const dialogStyle = "ui-dialog";
