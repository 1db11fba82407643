import { partsOfAgent } from "@latchkey/ui/describe-agent.ts";
import { type LucideIcon, Monitor, Smartphone, Tablet, Terminal } from "lucide-react";

const iconBySystem: Readonly<Record<string, LucideIcon>> = {
  iPhone: Smartphone,
  iPad: Tablet,
};

/** Returns the icon of the device that a user agent names. Programs that are no browsers have one of their own. */
export const deviceIcon = (agent: string): LucideIcon => {
  const { browser, system } = partsOfAgent(agent);
  if (system === "Android") return /\bMobile\b/.test(agent) ? Smartphone : Tablet;
  if (browser === undefined && system === undefined) return Terminal;
  return iconBySystem[system ?? ""] ?? Monitor;
};
