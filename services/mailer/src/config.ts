import type { Settings } from "@latchkey/service-kit";

/** What the mailer reads of the settings. */
export const readMailerConfig = ({ options, network }: Settings) => ({
  appName: options.appName,
  mail: options.mail,
  port: network.ports.mailer,
});

export type MailerConfig = ReturnType<typeof readMailerConfig>;
