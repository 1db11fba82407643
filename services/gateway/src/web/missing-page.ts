import { escapeHtml } from "@latchkey/service-kit";

/** Allows no scripts and no requests. */
export const missingPagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Returns the page that is shown if a web has not been built. */
export const missingPage = (appName: string, web: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(appName)} ${web}</title>
</head>
<body>
<h1>The ${web} web is not built</h1>
<p>Run <code>npm run build</code> where Latchkey is installed, then start it again.</p>
</body>
</html>
`;
