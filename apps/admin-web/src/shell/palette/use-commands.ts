import { useNavigate } from "@tanstack/react-router";
import {
  ExternalLink,
  LogOut,
  SunMoon,
  AppWindow,
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
import { t } from "../../texts.ts";

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
    label: t("users.create.title"),
    icon: UserPlus,
    to: "/users",
    search: { do: "create" },
    needs: ["user:create"],
  },
  {
    label: t("users.invite.title"),
    icon: MailPlus,
    to: "/users",
    search: { do: "invite" },
    needs: ["user:create"],
  },
  {
    label: t("palette.createOrganization"),
    icon: Building2,
    to: "/organizations",
    search: { do: "create" },
    needs: ["organization:create", "user:list"],
  },
  {
    label: t("palette.createKey"),
    icon: KeyRound,
    to: "/api-keys",
    search: { do: "create" },
    needs: ["apiKey:create"],
  },
  {
    label: t("palette.createWebhook"),
    icon: Webhook,
    to: "/webhooks",
    search: { do: "create" },
    needs: ["webhook:create"],
  },
  {
    label: t("clients.create.action"),
    icon: AppWindow,
    to: "/clients",
    search: { do: "create" },
    needs: ["oauthClient:create"],
  },
  {
    label: t("palette.rotateKeys"),
    icon: KeySquare,
    to: "/signing-keys",
    search: { rotate: "1" },
    needs: ["signingKey:rotate"],
  },
  {
    label: t("palette.testRedirect"),
    icon: Route,
    to: "/settings",
    search: { tab: "redirects" },
    needs: ["settings:read"],
  },
  {
    label: t("unblock.title"),
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
    label: t("shell.theme.title"),
    hint: label,
    icon: SunMoon,
    run: () => chooseTheme(value),
  }));
  const account: Command = {
    id: "account",
    label: t("shell.yourAccount"),
    icon: ExternalLink,
    run: openAccount,
  };
  const leaving: Command = {
    id: "sign out",
    label: t("shell.signOut"),
    icon: LogOut,
    run: signOut,
  };
  return [
    { label: t("palette.goTo"), items: ways },
    { label: t("common.actions"), items: [...begun, ...themes, account, leaving] },
  ];
};
