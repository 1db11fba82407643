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
  /** At least one of these permissions is needed to see the link. */
  readonly needs: readonly Permission[];
}

const ungated: readonly Permission[] = [];

/** In the order of the navigation. */
export const screens = [
  { label: t("screens.home"), to: "/", icon: House, needs: ungated },
  { label: t("screens.users"), to: "/users", icon: Users, needs: ["user:list"] },
  {
    label: t("screens.organizations"),
    to: "/organizations",
    icon: Building2,
    needs: ["organization:list"],
  },
  { label: t("screens.apiKeys"), to: "/api-keys", icon: KeyRound, needs: ["apiKey:list"] },
  { label: t("screens.clients"), to: "/clients", icon: AppWindow, needs: ["oauthClient:list"] },
  { label: t("screens.webhooks"), to: "/webhooks", icon: Webhook, needs: ["webhook:list"] },
  { label: t("screens.events"), to: "/events", icon: Radio, needs: ["webhook:read"] },
  { label: t("screens.mail"), to: "/mail", icon: Mail, needs: ["delivery:list"] },
  { label: t("screens.queues"), to: "/queues", icon: Inbox, needs: ["queue:list"] },
  { label: t("screens.audit"), to: "/audit", icon: ScrollText, needs: ["audit:list"] },
  {
    label: t("screens.signingKeys"),
    to: "/signing-keys",
    icon: KeySquare,
    needs: ["signingKey:list"],
  },
  {
    label: t("screens.settings"),
    to: "/settings",
    icon: Settings,
    needs: ["settings:read", "rateLimit:reset"],
  },
  { label: t("screens.branding"), to: "/branding", icon: Palette, needs: ["settings:read"] },
] as const satisfies readonly Screen[];
