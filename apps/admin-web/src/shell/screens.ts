import {
  AppWindow,
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
import { t } from "../texts.ts";

/** A screen that the navigation and the palette link to. */
export interface Screen {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** Links of one group stand together. */
  readonly group: "start" | "people" | "messages" | "installation";
  /** At least one of these permissions is needed to see the link. */
  readonly needs: readonly Permission[];
}

const ungated: readonly Permission[] = [];

/** In the order of the navigation. */
export const screens = [
  { label: t("screens.home"), to: "/", icon: House, group: "start", needs: ungated },
  { label: t("screens.users"), to: "/users", icon: Users, group: "people", needs: ["user:list"] },
  {
    label: t("screens.organizations"),
    to: "/organizations",
    icon: Building2,
    group: "people",
    needs: ["organization:list"],
  },
  {
    label: t("screens.apiKeys"),
    to: "/api-keys",
    icon: KeyRound,
    group: "people",
    needs: ["apiKey:list"],
  },
  {
    label: t("screens.clients"),
    to: "/clients",
    icon: AppWindow,
    group: "people",
    needs: ["oauthClient:list"],
  },
  {
    label: t("screens.webhooks"),
    to: "/webhooks",
    icon: Webhook,
    group: "messages",
    needs: ["webhook:list"],
  },
  {
    label: t("screens.events"),
    to: "/events",
    icon: Radio,
    group: "messages",
    needs: ["webhook:read"],
  },
  {
    label: t("screens.mail"),
    to: "/mail",
    icon: Mail,
    group: "messages",
    needs: ["delivery:list"],
  },
  {
    label: t("screens.queues"),
    to: "/queues",
    icon: Inbox,
    group: "messages",
    needs: ["queue:list"],
  },
  {
    label: t("screens.audit"),
    to: "/audit",
    icon: ScrollText,
    group: "installation",
    needs: ["audit:list"],
  },
  {
    label: t("screens.signingKeys"),
    to: "/signing-keys",
    icon: KeySquare,
    group: "installation",
    needs: ["signingKey:list"],
  },
  {
    label: t("screens.settings"),
    to: "/settings",
    icon: Settings,
    group: "installation",
    needs: ["settings:read", "rateLimit:reset"],
  },
  {
    label: t("screens.branding"),
    to: "/branding",
    icon: Palette,
    group: "installation",
    needs: ["settings:read"],
  },
] as const satisfies readonly Screen[];
