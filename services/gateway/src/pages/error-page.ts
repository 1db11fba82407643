import { createHash } from "node:crypto";
import { escapeHtml } from "@latchkey/service-kit";

const style =
  "body{font-family:system-ui,sans-serif;display:grid;place-items:center;min-height:100vh;margin:0;" +
  "background:#f6f7f9;color:#1c2330}main{max-width:28rem;padding:2rem;text-align:center}" +
  "code{background:#e8ebf0;padding:.15rem .4rem;border-radius:.25rem;overflow-wrap:anywhere}a{color:#1d4ed8}";

/** Printable ASCII, of a length that a code may have. */
const codeForm = /^[ -~]{1,128}$/;

/** Only this page's own style runs; no script, no form, no frame. */
export const errorPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The page on which a failed sign-in ends when the application named no page of its own. Anybody can link to it with any
 * text, so it shows none but what may be a code.
 */
export const errorPage = (appName: string, code: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Authentication Error</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(appName)}</h1>
<p>Something went wrong while signing you in.</p>
<p>Error code: <code><span id="errorCode">${escapeHtml(codeForm.test(code) ? code : "Unknown")}</span></code></p>
<p><a id="returnLink" href="/">Return to Application</a></p>
</main>
</body>
</html>
`;
