import { useNavigate } from "@tanstack/react-router";
import { LogOut, ShieldCheck, SunMoon } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { chooseTheme } from "@latchkey/ui/theme/theme.ts";
import { themeChoices } from "../../theme/theme-choices.ts";
import { screens } from "../screens.ts";
import { useSignOut } from "../use-sign-out.ts";
import { visibleScreens } from "../visible-screens.ts";
import type { Command, CommandGroup } from "./command.ts";
import { screenActions } from "./screen-actions.ts";

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
    icon: ShieldCheck,
    run: () => void navigate({ to: "/account" }),
  };
  const leaving: Command = { id: "sign out", label: "Sign out", icon: LogOut, run: signOut };
  return [
    { label: "Go to", items: ways },
    { label: "Actions", items: [...begun, ...themes, account, leaving] },
  ];
};
