import { useNavigate } from "@tanstack/react-router";
import {
  ExternalLink,
  LogOut,
  SunMoon,
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
import { chooseTheme } from "@latchkey/ui/theme/theme.ts";
import { openAccount } from "../../access/account-web.ts";
import { useAccess } from "../../access/use-access.ts";
import { themeChoices } from "../../theme/theme-choices.ts";
import { screens } from "../screens.ts";
import { useSignOut } from "../use-sign-out.ts";
import { visibleScreens } from "../visible-screens.ts";
import type { Command, CommandGroup } from "./command.ts";
import type { Permission } from "../../access/access.ts";

/** An action that the palette can start from anywhere, by an address that opens it on its screen. */
interface ScreenAction {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly needs: readonly Permission[];
}

/** The actions of all screens. The screen opens its dialog when its address says so. */
const screenActions: readonly ScreenAction[] = [
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

/** Returns the entries of the palette before a search: every screen and every action. */
export const useCommands = (): CommandGroup[] => {
  const { may } = useAccess();
  const navigate = useNavigate();
  const { signOut } = useSignOut();
  const ways = visibleScreens(screens, may).map(({ label, to, icon }): Command => ({
    id: `screen ${to}`,
    label,
    icon,
    run: () => void navigate({ to }),
  }));
  const begun = visibleScreens(screenActions, may).map(({ label, icon, to, search }): Command => ({
    id: `action ${label}`,
    label,
    icon,
    run: () => void navigate({ to, search } as unknown as Parameters<typeof navigate>[0]),
  }));
  const themes = themeChoices.map(({ value, label }): Command => ({
    id: `theme ${value}`,
    label: "Theme",
    hint: label,
    icon: SunMoon,
    run: () => chooseTheme(value),
  }));
  const account: Command = {
    id: "account",
    label: "Your account",
    icon: ExternalLink,
    run: openAccount,
  };
  const leaving: Command = { id: "sign out", label: "Sign out", icon: LogOut, run: signOut };
  return [
    { label: "Go to", items: ways },
    { label: "Actions", items: [...begun, ...themes, account, leaving] },
  ];
};
