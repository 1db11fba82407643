import type { ReactNode } from "react";
import { CheckField } from "./fields.tsx";

/** Resources to actions. */
export type Permission = Record<string, string[]>;

interface PermissionFieldsProps {
  /** The resources, each with every action that can be chosen. */
  offered: readonly (readonly [resource: string, actions: readonly string[]])[];
  permission: Permission;
  onChange: (permission: Permission) => void;
  resourceLabel: (resource: string) => ReactNode;
  actionLabel: (action: string) => ReactNode;
  /** Whether the user may give and take an action. By default any. */
  canGive?: (resource: string, action: string) => boolean;
}

/** A check box for each action on each resource. */
export const PermissionFields = ({
  offered,
  permission,
  onChange,
  resourceLabel,
  actionLabel,
  canGive = () => true,
}: PermissionFieldsProps) => {
  const toggle = (resource: string, action: string, isOn: boolean) => {
    const others = (permission[resource] ?? []).filter((one) => one !== action);
    const { [resource]: _, ...rest } = permission;
    const actions = isOn ? [...others, action] : others;
    onChange(actions.length > 0 ? { ...rest, [resource]: actions } : rest);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {offered
        .filter(([, actions]) => actions.length > 0)
        .map(([resource, actions]) => (
          <fieldset key={resource} className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">{resourceLabel(resource)}</legend>
            {actions.map((action) => (
              <CheckField
                key={action}
                label={actionLabel(action)}
                checked={permission[resource]?.includes(action) === true}
                disabled={!canGive(resource, action)}
                onChange={({ target }) => toggle(resource, action, target.checked)}
              />
            ))}
          </fieldset>
        ))}
    </div>
  );
};
