/** The classes of all popups. */
export const popupStyle =
  "rounded-md border border-line bg-surface text-ink shadow-md outline-none transition-opacity duration-quick data-starting-style:opacity-0 data-ending-style:opacity-0";

/** The classes of an item in a popup. */
export const popupItemStyle =
  "flex min-h-8 items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-highlighted:bg-sunken max-sm:min-h-10 data-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0";
