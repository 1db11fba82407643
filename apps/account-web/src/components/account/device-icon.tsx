import { partsOfAgent } from "@latchkey/ui/describe-agent.ts";
import { type LucideProps, Monitor, Smartphone, Tablet, Terminal } from "lucide-react";

/** Returns the kind of device that a user agent names. A program is no browser. */
const kindOf = (agent: string): "computer" | "phone" | "program" | "tablet" => {
  const { browser, system } = partsOfAgent(agent);
  if (system === "iPhone") return "phone";
  if (system === "iPad") return "tablet";
  if (system === "Android") return /\bMobile\b/.test(agent) ? "phone" : "tablet";
  return browser === undefined && system === undefined ? "program" : "computer";
};

const icons = { computer: Monitor, phone: Smartphone, program: Terminal, tablet: Tablet } as const;

/** The icon of the device of a session. Its name stands beside it. */
export const DeviceIcon = ({ agent, ...props }: LucideProps & { agent: string }) => {
  const Icon = icons[kindOf(agent)];
  return <Icon aria-hidden="true" {...props} />;
};
