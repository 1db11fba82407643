/** The overlay that dims the page behind a dialog. */
export const backdropStyle =
  "fixed inset-0 z-40 bg-shade transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0";

export const dialogStyle =
  "fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-5 text-ink shadow-xl outline-none transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0";
