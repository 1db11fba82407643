import { createHash } from "node:crypto";

/** The style of the pages that the gateway serves itself. */
export const pageStyle =
  "body{font-family:system-ui,sans-serif;display:grid;place-items:center;min-height:100vh;margin:0;" +
  "background:#f6f7f9;color:#1c2330}main{max-width:28rem;padding:2rem;text-align:center}" +
  "code{background:#e8ebf0;padding:.15rem .4rem;border-radius:.25rem;overflow-wrap:anywhere}a{color:#1d4ed8}" +
  "ul{display:inline-block;text-align:start;margin:0}strong{overflow-wrap:anywhere}button{font:inherit;color:#fff;background:#1d4ed8;border:0;" +
  "border-radius:.25rem;padding:.75rem 1.5rem;cursor:pointer}button:focus-visible{outline:3px solid #1c2330;" +
  "outline-offset:3px}.danger{background:#b42318}";

/** Allows only that style, no scripts and no frames. Forms post only to `formAction`. */
export const pagePolicy = (formAction: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join("; ");
