import { escapeHtml } from "@latchkey/service-kit/http";
import { pagePolicy, pageStyle } from "./page-style.ts";

/** Printable ASCII of the length that a code can have. */
const codeForm = /^[ -~]{1,128}$/;

export const errorPagePolicy = pagePolicy("'none'");

/**
 * Returns the page of a failed sign-in if the application named none. Anyone can link to it with any text, so it shows only texts that can
 * be
 * a code.
 */
export const errorPage = (appName: string, code: string, home = "/"): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Authentication Error</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(appName)}</h1>
<p>Something went wrong while signing you in.</p>
<p>Error code: <code><span id="errorCode">${escapeHtml(codeForm.test(code) ? code : "Unknown")}</span></code></p>
<p><a id="returnLink" href="${escapeHtml(home)}">Return to Application</a></p>
</main>
</body>
</html>
`;
