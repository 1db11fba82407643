import { lookNames, lookPath, mailLogo } from "@latchkey/contracts";
import { basePathOf, type Settings } from "@latchkey/service-kit/config";

/** Receivers on the own machine, which are allowed during development. */
const developmentHosts = ["localhost", "127.0.0.1", "::1"];

/** Leaves out `inertLinks`, which concerns only identity. */
const readMail = ({ inertLinks: _, ...mail }: Settings["options"]["mail"]) => mail;

/** Returns the addresses of the logo in mails. The gateway serves files at addresses that stay, so the mailer does not read them. */
const logoOf = ({ baseURL, basePath, branding }: Settings["options"]) =>
  mailLogo(branding.logo, (_file, kind) => {
    const path = lookPath(basePathOf({ baseURL, basePath }), lookNames.mailLogo[kind]);
    return baseURL && new URL(path, baseURL).href;
  });

/** Returns the settings of the mailer. */
export const readMailerConfig = ({
  options,
  production,
}: Pick<Settings, "options" | "production">) => ({
  appName: options.appName,
  branding: { ...options.branding, logo: logoOf(options) },
  mail: readMail(options.mail),
  phoneNumber: options.phoneNumber,
  /** The host to which browsers bind the codes of text messages. */
  host: options.baseURL && new URL(options.baseURL).hostname,
  /** Private hosts at which the receiver of text messages may be. */
  privateHosts: [
    ...options.advanced.outbound.privateHosts,
    ...(production ? [] : developmentHosts),
  ],
  admin: options.admin,
});

export type MailerConfig = ReturnType<typeof readMailerConfig>;
