import {
  Building2,
  KeyRound,
  KeySquare,
  type LucideIcon,
  MailPlus,
  Route,
  ShieldCheck,
  UserPlus,
  Webhook,
} from "lucide-react";
import type { Permission } from "../../access/access.ts";

/** An action that the palette can start from anywhere, by an address that opens it on its screen. */
export interface ScreenAction {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly needs: readonly Permission[];
}

/** The actions of all screens. The screen opens its dialog when its address says so. */
export const screenActions: readonly ScreenAction[] = [
  {
    label: "Create user",
    icon: UserPlus,
    to: "/users",
    search: { do: "create" },
    needs: ["user:create"],
  },
  {
    label: "Invite user",
    icon: MailPlus,
    to: "/users",
    search: { do: "invite" },
    needs: ["user:create"],
  },
  {
    label: "Create organization",
    icon: Building2,
    to: "/organizations",
    search: { do: "create" },
    needs: ["organization:create", "user:list"],
  },
  {
    label: "Create API key",
    icon: KeyRound,
    to: "/api-keys",
    search: { do: "create" },
    needs: ["apiKey:create"],
  },
  {
    label: "Create webhook",
    icon: Webhook,
    to: "/webhooks",
    search: { do: "create" },
    needs: ["webhook:create"],
  },
  {
    label: "Rotate signing keys",
    icon: KeySquare,
    to: "/signing-keys",
    search: { rotate: "1" },
    needs: ["signingKey:rotate"],
  },
  {
    label: "Test a redirect",
    icon: Route,
    to: "/settings",
    search: { tab: "redirects" },
    needs: ["settings:read"],
  },
  {
    label: "Unblock IP address",
    icon: ShieldCheck,
    to: "/settings",
    search: { tab: "rate-limits" },
    needs: ["rateLimit:reset"],
  },
];
