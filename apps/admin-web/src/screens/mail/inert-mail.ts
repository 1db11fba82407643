/** What would load, run, move or send something; the frame forbids it too. */
const banned =
  "script, style, link, meta, base, iframe, frame, object, embed, form, input, button, img, video, audio, svg";

/** Keeps the styles of elements where the policy of the page does not take them for its own. */
export const styleKeptIn = "data-style";

/**
 * The HTML of a mail to be looked at only: nothing in it can be followed or loaded. Styles of elements, which the policy of the
 * page forbids as text, wait in `data-style`.
 */
export const inertMail = (html: string): string => {
  // Renamed before it is parsed: the parser would report each of them.
  const parsed = new DOMParser().parseFromString(
    html.replaceAll(/(<[a-z][^<>]*?\s)style=/gi, `$1${styleKeptIn}=`),
    "text/html",
  );
  for (const element of parsed.querySelectorAll(banned)) element.remove();
  for (const link of parsed.querySelectorAll("[href]")) link.removeAttribute("href");
  return parsed.documentElement.outerHTML;
};
