import {
  Building2,
  House,
  Inbox,
  KeyRound,
  KeySquare,
  type LucideIcon,
  Mail,
  Palette,
  Radio,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from "lucide-react";
import type { Permission } from "../access/access.ts";

/** A screen that the navigation and the palette link to. */
export interface Screen {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** At least one of these permissions is needed to see the link. */
  readonly needs: readonly Permission[];
}

const ungated: readonly Permission[] = [];

/** In the order of the navigation. */
export const screens = [
  { label: "Home", to: "/", icon: House, needs: ungated },
  { label: "Users", to: "/users", icon: Users, needs: ["user:list"] },
  { label: "Organizations", to: "/organizations", icon: Building2, needs: ["organization:list"] },
  { label: "API keys", to: "/api-keys", icon: KeyRound, needs: ["apiKey:list"] },
  { label: "Webhooks", to: "/webhooks", icon: Webhook, needs: ["webhook:list"] },
  { label: "Events", to: "/events", icon: Radio, needs: ["webhook:read"] },
  { label: "Emails", to: "/mail", icon: Mail, needs: ["delivery:list"] },
  { label: "Queues", to: "/queues", icon: Inbox, needs: ["queue:list"] },
  { label: "Audit log", to: "/audit", icon: ScrollText, needs: ["audit:list"] },
  { label: "Signing keys", to: "/signing-keys", icon: KeySquare, needs: ["signingKey:list"] },
  {
    label: "Settings",
    to: "/settings",
    icon: Settings,
    needs: ["settings:read", "rateLimit:reset"],
  },
  { label: "Branding", to: "/branding", icon: Palette, needs: ["settings:read"] },
] as const satisfies readonly Screen[];
