/** Elements that load, run, move or send something. The sandbox of the frame forbids them too. */
const banned =
  "script, style, link, meta, base, iframe, frame, object, embed, form, input, button, img, video, audio, svg";

/** Holds inline styles, which the content security policy would block and report as text in a `style` attribute. */
export const styleKeptIn = "data-style";

/**
 * Returns the HTML of a mail for display only: nothing in it can be followed or loaded. Inline styles, which the content security
 * policy forbids, are moved to `data-style`.
 */
export const inertMail = (html: string): string => {
  // Renames `style` attributes before parsing, because the parser would report each of them as a policy violation.
  const parsed = new DOMParser().parseFromString(
    html.replaceAll(/(<[a-z][^<>]*?\s)style=/gi, `$1${styleKeptIn}=`),
    "text/html",
  );
  for (const element of parsed.querySelectorAll(banned)) element.remove();
  for (const link of parsed.querySelectorAll("[href]")) link.removeAttribute("href");
  return parsed.documentElement.outerHTML;
};
