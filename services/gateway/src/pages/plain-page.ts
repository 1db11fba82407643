import type { Language } from "@latchkey/contracts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { escapeHtml } from "@latchkey/service-kit/http";
import { pageStyle } from "./page-style.ts";

/** The attributes of a page in a language. */
const attributesOf = (language: Language): string =>
  `lang="${language}"${languageFacts[language].direction === "rtl" ? ' dir="rtl"' : ""}`;

/** Returns a page with a title and content, which must be escaped. Search engines do not list it. */
export const plainPage = (
  { appName, language = "en" }: { appName: string; language?: Language },
  title: string,
  content: string,
): string => `<!doctype html>
<html ${attributesOf(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${title} - ${appName}`)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
