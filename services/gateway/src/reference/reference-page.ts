import { escapeHtml } from "@latchkey/service-kit";

/** Allows only our own files and requests to our own server. Icons of the style are data URLs. */
export const referencePagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Escapes `<`, so that the JSON cannot end the element that holds it. In JSON it occurs only in texts. */
const escapeJson = (json: string): string => json.replaceAll("<", String.raw`\u003c`);

/** Returns the page that shows an OpenAPI document, given as JSON text, with the files below `path`. */
export const referencePage = (
  document: string,
  { appName, path }: { appName: string; path: string },
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(appName)} API reference</title>
<link rel="stylesheet" href="${path}/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript.</noscript>
<script id="api-reference" type="application/json">${escapeJson(document)}</script>
<script src="${path}/swagger-ui-bundle.js"></script>
<script src="${path}/start.js"></script>
</body>
</html>
`;
