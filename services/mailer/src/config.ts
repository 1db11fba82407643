import { lookNames, lookPath, mailLogo } from "@latchkey/contracts";
import { basePathOf, type Settings } from "@latchkey/service-kit/config";

/** Leaves out `inertLinks`, which concerns only identity. */
const readMail = ({ inertLinks: _, ...mail }: Settings["options"]["mail"]) => mail;

/** Returns the addresses of the logo in mails. The gateway serves files at addresses that stay, so the mailer does not read them. */
const logoOf = ({ baseURL, basePath, branding }: Settings["options"]) =>
  mailLogo(branding.logo, (_file, kind) => {
    const path = lookPath(basePathOf({ baseURL, basePath }), lookNames.mailLogo[kind]);
    return baseURL && new URL(path, baseURL).href;
  });

/** Returns the settings of the mailer. */
export const readMailerConfig = ({ options }: Pick<Settings, "options">) => ({
  appName: options.appName,
  branding: { ...options.branding, logo: logoOf(options) },
  mail: readMail(options.mail),
  admin: options.admin,
});

export type MailerConfig = ReturnType<typeof readMailerConfig>;
