import { findUntrustedTokenPages } from "@latchkey/gateway/commands";
import { isAccountWebServed, type Options } from "@latchkey/contracts";
import { checkSmtp } from "@latchkey/mailer/commands";
import { checkConfiguration, checkNode, checkSecret } from "./check-configuration.ts";
import { checkDatabase } from "./check-database.ts";
import { checkRedis } from "./check-redis.ts";
import { checkServices } from "./check-services.ts";
import { type Finding, ok, warn, fail } from "./finding.ts";
import { readExamined, type Examined } from "./read-examined.ts";
import { runCheck } from "./run-check.ts";

const stepMilliseconds = 4_000;

/** Checks the SMTP server if one is configured. Sends nothing. */
const checkMail = async ({ settings, leftOut }: Examined): Promise<Finding[]> => {
  const { smtpUrl, from } = settings.options.mail;
  if (leftOut.has("mail"))
    return [fail("mail", "not checked: its options are invalid", "fix mail.smtpUrl (SMTP_URL)")];
  if (!smtpUrl) return [ok("mail", "no SMTP server: mails are captured and shown by the mailer")];
  const { host: address } = new URL(smtpUrl);
  return runCheck("mail", { what: "the SMTP server", address, option: "SMTP_URL" }, async () => {
    await checkSmtp({ smtpUrl, milliseconds: stepMilliseconds });
    return [ok("mail", `${address} takes mails from ${from}`)];
  });
};

interface Configured {
  settings: { options: Pick<Options, "account" | "admin" | "captcha"> };
}

/** Checks that the pages of the account web can show the captcha that operations require. */
export const checkCaptcha = ({ settings: { options } }: Configured): Finding[] => {
  const { captcha } = options;
  if (!captcha.enabled) return [];
  return isAccountWebServed(options) && captcha.siteKey === undefined
    ? [
        warn(
          "captcha",
          "the account web cannot show it, so its sign-ins are refused",
          "set captcha.siteKey; without the account web, set account.enabled and admin.web to false",
        ),
      ]
    : [ok("captcha", captcha.provider)];
};

const isLoopback = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

const secureRemedy =
  "set BASE_URL to the https address that clients see, or TRUSTED_PROXIES to the proxy that sends X-Forwarded-Proto";

/** Checks a base URL that comes from each request. Only a trusted proxy can provide its scheme. */
const checkHosts = ({ settings, production }: Examined): Finding => {
  const { trustedHosts, trustedProxies, advanced } = settings.options;
  if (trustedHosts.length === 0)
    return ok("base URL", "taken from each request; set BASE_URL in production");
  const hosts = `taken from each request, for the hosts ${trustedHosts.join(", ")}`;
  return production && trustedProxies.length === 0
    ? warn(
        "base URL",
        `${hosts}; without a trusted proxy each request counts as http, so links are not https${advanced.useSecureCookies ? "" : " and cookies are not Secure"}`,
        secureRemedy,
      )
    : ok("base URL", hosts);
};

/** Checks the URL by which clients reach the gateway. */
const checkBaseUrl = (examined: Examined): Finding => {
  const { settings, production, leftOut } = examined;
  const { baseURL, advanced } = settings.options;
  if (leftOut.has("baseURL"))
    return warn("base URL", "cannot be used", "fix baseURL (BASE_URL), as reported above");
  if (!baseURL) return checkHosts(examined);
  const { protocol, hostname } = new URL(baseURL);
  if (production && protocol === "https:" && advanced.useSecureCookies === false)
    return warn(
      "base URL",
      `${baseURL} is https, but advanced.useSecureCookies: false makes cookies travel in clear too`,
      "remove advanced.useSecureCookies",
    );
  return production && protocol === "http:" && !isLoopback(hostname)
    ? warn(
        "base URL",
        `${baseURL} is not https, so cookies and links travel in clear`,
        "put a server with TLS in front and set BASE_URL to its https address",
      )
    : ok("base URL", baseURL);
};

/** Checks the address of the application, the target of links without a callback. */
const checkAppUrl = ({ settings, production, leftOut }: Examined): Finding => {
  const remedy = "set appURL (APP_URL) to the address of your application";
  if (leftOut.has("appURL")) return warn("application", "its address cannot be used", remedy);
  const urls = [settings.options.appURL].flat();
  if (urls.length > 0) return ok("application", urls.join(", "));
  const detail = "address unknown, so mailed links without a callback lead to no application";
  return production
    ? warn("application", detail, remedy)
    : ok("application", `${detail}; ${remedy}`);
};

/** Returns the problem of a trusted origin, or undefined. */
export const explainOrigin = (pattern: string, production: boolean): string | undefined => {
  if (pattern === "*") return "trusts every origin";
  if (!pattern.includes("://")) return undefined;
  const [scheme = "", rest = ""] = pattern.split("://", 2);
  if (pattern.includes("*"))
    return /^[^/]*(\/?\**)$/.test(rest) ? undefined : "has a path, so it matches no origin";
  if (scheme !== "http" && scheme !== "https") return undefined;
  const url = URL.parse(pattern);
  if (url?.origin !== pattern)
    return `matches no origin: an origin has no path, as ${url?.origin ?? "https://app.example.com"}`;
  return production && scheme === "http" && !isLoopback(url.hostname)
    ? "is not https, so an attacker on the network can impersonate it"
    : undefined;
};

/** Checks the origins that may call. */
const checkOrigins = ({ settings, production, leftOut }: Examined): Finding[] => {
  const { trustedOrigins } = settings.options;
  if (leftOut.has("trustedOrigins")) return []; // listed among the problems
  if (typeof trustedOrigins === "function")
    return [ok("trusted origins", "set by a function of the configuration, not checked")];
  const odd = trustedOrigins.flatMap((pattern) => {
    const reason = explainOrigin(pattern, production);
    return reason
      ? [
          warn(
            "trusted origins",
            `${pattern} ${reason}`,
            "fix it in trustedOrigins (TRUSTED_ORIGINS)",
          ),
        ]
      : [];
  });
  if (odd.length > 0) return odd;
  return [ok("trusted origins", trustedOrigins.join(", ") || "only that of the base URL")];
};

const isInClear = (page: string): boolean => {
  const { protocol, hostname } = new URL(page);
  return protocol === "http:" && !isLoopback(hostname);
};

/** Checks the pages to which the account web leads with a one-time token. */
export const checkTokenPages = ({ settings, production, leftOut }: Examined): Finding[] => {
  const { enabled, callbackURLs } = settings.options.oneTimeToken;
  if (!enabled || callbackURLs.length === 0 || leftOut.has("trustedOrigins")) return [];
  const untrusted = findUntrustedTokenPages(settings).map((page) =>
    warn(
      "one-time tokens",
      `${page} is on no trusted origin, so nobody is led to it`,
      `add ${new URL(page).origin} to trustedOrigins (TRUSTED_ORIGINS)`,
    ),
  );
  const clear = callbackURLs
    .filter((page) => production && isInClear(page))
    .map((page) =>
      warn(
        "one-time tokens",
        `${page} is not https, so tokens for sessions travel in clear`,
        "use its https address in oneTimeToken.callbackURLs",
      ),
    );
  const odd = [...untrusted, ...clear];
  return odd.length > 0 ? odd : [ok("one-time tokens", callbackURLs.join(", "))];
};

/** Runs all checks in parallel. Changes nothing. */
export const examine = async (): Promise<Finding[]> => {
  const examined = await readExamined(process.env);
  const spoken = await Promise.all([
    checkDatabase(examined),
    checkRedis(examined),
    checkMail(examined),
    checkServices(examined),
  ]);
  return [
    checkNode(process.versions.node),
    ...checkConfiguration(examined),
    checkSecret(examined),
    checkBaseUrl(examined),
    ...checkOrigins(examined),
    ...checkTokenPages(examined),
    checkAppUrl(examined),
    ...checkCaptcha(examined),
    ...spoken.flat(),
  ];
};
