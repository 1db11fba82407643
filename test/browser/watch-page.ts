import type { BrowserContext, ConsoleMessage } from "playwright-core";

/** The browser logs refused requests as errors, too, and many tests cause them on purpose. */
const isRefusedAnswer = (message: ConsoleMessage): boolean =>
  message.text().startsWith("Failed to load resource");

/** Runs in the page. Logs policy violations as errors, even if the page swallowed the failure. */
const logViolations = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("policy:", event.violatedDirective, event.blockedURI, event.sample);
});`;

/**
 * Collects what no page may ever do, whatever a test is about: errors in the console, policy violations, requests to another origin,
 * missing files.
 */
export const watchPages = async (
  context: BrowserContext,
  origins: readonly string[],
): Promise<string[]> => {
  const faults: string[] = [];
  await context.addInitScript(logViolations);
  context.on("console", (message) => {
    if (message.type() === "error" && !isRefusedAnswer(message)) faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("request", (request) => {
    const { protocol, origin: requested } = new URL(request.url());
    if (protocol !== "data:" && !origins.includes(requested))
      faults.push(`another origin: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.url().includes("/assets/") && !response.ok() && response.status() !== 304)
      faults.push(`missing: ${response.url()}`);
  });
  return faults;
};
