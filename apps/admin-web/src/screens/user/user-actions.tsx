import { ChevronDown, VenetianMask } from "lucide-react";
import { useImpersonation } from "../../access/impersonation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import type { PossibleAction } from "./possible-actions.ts";
import type { UserAction } from "./user-search.ts";

interface UserActionsProps {
  actions: readonly PossibleAction[];
  onChoose: (action: UserAction) => void;
}

/** The buttons next to the name of a user. */
export const UserActions = ({ actions, onChoose }: UserActionsProps) => {
  const impersonation = useImpersonation();
  const inMenu = actions.filter(({ name, isRemedy }) => name !== "impersonate" && !isRemedy);
  return (
    <>
      {actions.some(({ name }) => name === "impersonate") && (
        <Button
          disabled={impersonation !== undefined}
          focusableWhenDisabled
          title={impersonation && "End the current impersonation first."}
          onClick={() => onChoose("impersonate")}
        >
          <VenetianMask />
          Impersonate
        </Button>
      )}
      {inMenu.length > 0 && (
        <DropdownMenu
          trigger={
            <Button kind="primary">
              Actions
              <ChevronDown />
            </Button>
          }
        >
          {inMenu.map(({ name, label, isDangerous }) => (
            <MenuItem key={name} isDangerous={isDangerous} onSelect={() => onChoose(name)}>
              {label}
            </MenuItem>
          ))}
        </DropdownMenu>
      )}
    </>
  );
};
