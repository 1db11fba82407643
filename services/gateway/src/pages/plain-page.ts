import { escapeHtml } from "@latchkey/service-kit";
import { pageStyle } from "./page-style.ts";

/** Returns a page with a title and content, which must be escaped. Search engines do not list it. */
export const plainPage = (
  appName: string,
  title: string,
  content: string,
): string => `<!doctype html>
<html lang="en">
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
