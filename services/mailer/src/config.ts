import { fileEnding, isAddress, type Themed } from "@latchkey/contracts";
import { basePathOf, type Settings } from "@latchkey/service-kit/config";

/** Leaves out `inertLinks`, which concerns only identity. */
const readMail = ({ inertLinks: _, ...mail }: Settings["options"]["mail"]) => mail;

/** Many mail programs show none of these. */
const unshown = new Set([".svg", ".webp"]);

/**
 * Returns the addresses of the logo in mails. The gateway serves a file, at an address that stays, so the mailer does not read it. Without
 * a base URL, mails cannot name that address, and show the name of the application instead.
 */
const mailLogo = ({
  baseURL,
  basePath,
  branding: { logo },
}: Pick<Settings["options"], "baseURL" | "basePath" | "branding">): Themed<string> | undefined => {
  if (logo === undefined) return undefined;
  const { light, dark } = typeof logo === "string" ? { light: logo, dark: logo } : logo;
  const addressOf = (source: string, name: string): string | undefined => {
    if (unshown.has(fileEnding(source))) return undefined;
    if (isAddress(source)) return source;
    const path = `${basePathOf({ baseURL, basePath })}/look/${name}`;
    return baseURL && new URL(path, baseURL).href;
  };
  const bright = addressOf(light, "mail-logo");
  if (bright === undefined) return undefined;
  const dim = dark === light ? bright : addressOf(dark, "mail-logo-dark");
  return { light: bright, dark: dim ?? bright };
};

/** Returns the settings of the mailer. */
export const readMailerConfig = ({ options }: Pick<Settings, "options">) => ({
  appName: options.appName,
  branding: { ...options.branding, logo: mailLogo(options) },
  mail: readMail(options.mail),
  admin: options.admin,
});

export type MailerConfig = ReturnType<typeof readMailerConfig>;
