import { escapeHtml } from "@latchkey/contracts";
import type { Language } from "@latchkey/contracts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import type { PageLook } from "./page-look.ts";

/** The attributes of a page in a language. */
const attributesOf = (language: Language): string =>
  `lang="${language}"${languageFacts[language].direction === "rtl" ? ' dir="rtl"' : ""}`;

const brandOf = ({ name, logo }: PageLook): string =>
  logo === undefined
    ? escapeHtml(name)
    : `<picture><source media="(prefers-color-scheme:dark)" srcset="${escapeHtml(logo.dark)}"><img src="${escapeHtml(logo.light)}" alt="${escapeHtml(name)}" referrerpolicy="no-referrer"></picture>`;

interface PlainPage {
  look: PageLook;
  language?: Language;
  /** The name of the tab. By default the heading and the name of the application. */
  tab?: string;
}

/** Returns a page with a heading and content, which must be escaped. Search engines do not list it. */
export const plainPage = (
  { look, language = "en", tab }: PlainPage,
  heading: string,
  content: string,
): string => `<!doctype html>
<html ${attributesOf(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(tab ?? `${heading} - ${look.name}`)}</title>
<style>${look.style}</style>
</head>
<body>
<main data-part="card">
<p data-part="brand">${brandOf(look)}</p>
<h1>${escapeHtml(heading)}</h1>
${content}
</main>
</body>
</html>
`;
