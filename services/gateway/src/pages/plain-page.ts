import type { MailLocale } from "@latchkey/contracts";
import { escapeHtml } from "@latchkey/service-kit";
import { pageStyle } from "./page-style.ts";

/** The attributes of a page in a language. */
const languageOf = (locale: MailLocale): string => {
  if (locale === "ar") return 'lang="ar" dir="rtl"';
  return `lang="${locale === "zh" ? "zh-Hans" : locale}"`;
};

/** Returns a page with a title and content, which must be escaped. Search engines do not list it. */
export const plainPage = (
  { appName, locale = "en" }: { appName: string; locale?: MailLocale },
  title: string,
  content: string,
): string => `<!doctype html>
<html ${languageOf(locale)}>
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
