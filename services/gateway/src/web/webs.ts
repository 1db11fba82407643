import { fileURLToPath } from "node:url";
import type { AccountWebFacts } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";
import { imageOrigins } from "../pages/page-look.ts";
import type { ServedLook } from "../pages/looks.ts";
import { brandingFacts, requiredFields } from "./account-web-facts.ts";

/** The kinds of content that a page may load from other origins. */
const sourceKinds = ["script", "style", "img", "connect", "frame"] as const;

/** Sources of other origins, by the kind of content. */
type Sources = Partial<Record<(typeof sourceKinds)[number], readonly string[]>>;

type CaptchaProvider = NonNullable<AccountWebFacts["captcha"]>["provider"];

const ofHcaptcha = ["https://hcaptcha.com", "https://*.hcaptcha.com"];

/** The sources that each provider of captchas documents for its widget. */
const captchaSources: Record<CaptchaProvider, Sources> = {
  "cloudflare-turnstile": {
    script: ["https://challenges.cloudflare.com"],
    frame: ["https://challenges.cloudflare.com"],
  },
  "google-recaptcha": {
    script: ["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
    frame: ["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"],
  },
  hcaptcha: { script: ofHcaptcha, style: ofHcaptcha, connect: ofHcaptcha, frame: ofHcaptcha },
};

/** Returns the other origins from which the account web loads something: those of the look, of pictures and of the captcha. */
const accountWebSources = (
  { pictureOrigins, captcha }: Pick<AccountWebFacts, "captcha" | "pictureOrigins">,
  { look }: ServedLook,
): Sources => {
  return {
    img: [...new Set([...imageOrigins(look), ...pictureOrigins])],
    ...(captcha && captchaSources[captcha.provider]),
  };
};

/** A web that the gateway serves. */
export interface Web {
  /** The name of its folder and of its section of options. */
  name: "admin" | "account";
  /** Its name in metrics. */
  metricsName: string;
  /** The directory of its build. */
  directory: string;
  /** The path that its build assumes for itself. */
  builtPath: string;
  /** The options to change if it is in the way of operations. */
  remedy: string;
  /** Its configured path. Undefined if it is off. */
  pathOf: (config: Pick<GatewayConfig, "accountWeb" | "admin">) => string | undefined;
  /** The content security policy of its page. */
  policyOf: (config: GatewayConfig, look: ServedLook) => string;
  /** Values for its page alone, by name. The page reads them as JSON. */
  factsOf: (config: GatewayConfig, look: ServedLook) => Readonly<Record<string, unknown>>;
  /** Whether applications have looks of their own in it. */
  hasLooks: boolean;
}

const buildOf = (name: Web["name"]): string =>
  fileURLToPath(new URL(`../../../../apps/${name}-web/dist/`, import.meta.url));

const self = ["'self'"];

/** Our pages contain no frames of our own. */
const ownSources: Record<(typeof sourceKinds)[number], readonly string[]> = {
  script: self,
  style: self,
  img: self,
  connect: self,
  frame: [],
};

/**
 * Allows only our own scripts and styles and requests to our own server, and the given sources in addition. No page may frame this one.
 */
const policyWith = (sources: Sources): string =>
  [
    "default-src 'none'",
    ...sourceKinds.flatMap((kind) => {
      const allowed = [...ownSources[kind], ...(sources[kind] ?? [])];
      return allowed.length === 0 ? [] : [`${kind}-src ${allowed.join(" ")}`];
    }),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

export const adminWeb: Web = {
  name: "admin",
  metricsName: "adminWeb",
  directory: buildOf("admin"),
  builtPath: "/admin/",
  remedy: "set admin.path to another path, or admin.web to false",
  pathOf: ({ admin: { enabled, web, path } }) => (enabled && web ? path : undefined),
  // The preview of a look is a frame of our own.
  policyOf: () => policyWith({ frame: self }),
  hasLooks: false,
  factsOf: ({ additionalFields, looks: { own, applications }, accountWeb: { path } }) => {
    const required = requiredFields(additionalFields.user);
    const looks = [own, ...applications.values()].filter(
      ({ files }) => Object.keys(files).length > 0,
    );
    return {
      ...(looks.length > 0 && {
        "look-files": looks.map(({ application, files }) => ({ application, files })),
      }),
      "account-path": path.replace(/\/$/, ""),
      ...(required.length > 0 && { "required-fields": required }),
    };
  },
};

/** The account web as the place of users without an application. */
export const accountWeb: Web = {
  name: "account",
  metricsName: "accountWeb",
  directory: buildOf("account"),
  builtPath: "/account/",
  remedy: "set account.path to another path, or account.enabled to false",
  pathOf: ({ accountWeb: { enabled, path } }) => (enabled ? path : undefined),
  policyOf: ({ accountWebFacts }, look) => policyWith(accountWebSources(accountWebFacts, look)),
  hasLooks: true,
  factsOf: ({ accountWebFacts }, { look, application }) => ({
    account: {
      ...accountWebFacts,
      branding: brandingFacts(look),
      applicationURL: application ?? accountWebFacts.applicationURL,
    } satisfies AccountWebFacts,
  }),
};

/** The account web as it is served. Admins sign in there (ADR 109), so it is also served if only the admin web is on. */
export const servedAccountWeb: Web = {
  ...accountWeb,
  pathOf: (config) =>
    accountWeb.pathOf(config) ?? (adminWeb.pathOf(config) && config.accountWeb.path),
};

export const webs: readonly Web[] = [adminWeb, servedAccountWeb];
