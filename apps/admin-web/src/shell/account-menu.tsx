import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, LogOut, ShieldCheck } from "lucide-react";
import type { Access } from "../access/access.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import {
  DropdownMenu,
  MenuChoices,
  MenuItem,
  MenuLine,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { chooseTheme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { themeChoices } from "../theme/theme-choices.ts";
import { useSignOut } from "./use-sign-out.ts";

/** Shows the signed-in user, the theme, the way to their account and the sign-out button. */
export const AccountMenu = ({ access: { user } }: { access: Access }) => {
  const theme = useTheme();
  const navigate = useNavigate();
  const { signOut } = useSignOut();
  return (
    <DropdownMenu
      trigger={
        <Button kind="quiet" className="max-w-60">
          <Avatar name={user.name} />
          <span className="sr-only">Account of</span>
          <span className="truncate max-sm:sr-only">{user.name}</span>
          <ChevronDown />
        </Button>
      }
    >
      <div className="max-w-60 px-2 py-1.5">
        <p className="truncate font-medium">{user.name}</p>
        <p className="truncate text-xs text-muted">{user.email}</p>
      </div>
      <MenuLine />
      <MenuChoices label="Theme" value={theme} choices={themeChoices} onChange={chooseTheme} />
      <MenuLine />
      <MenuItem onSelect={() => void navigate({ to: "/account" })}>
        <ShieldCheck />
        Your account
      </MenuItem>
      <MenuItem onSelect={signOut}>
        <LogOut />
        Sign out
      </MenuItem>
    </DropdownMenu>
  );
};
