import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { CheckField, TextField } from "@latchkey/ui/components/fields.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useState } from "react";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import {
  type MadeRole,
  useHolds,
  useMadeRoles,
} from "../../components/organizations/use-made-roles.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { PartProps } from "./organization.ts";

const { createRole, deleteRole, updateRole } = operations.organization;

type Permission = Record<string, string[]>;

/** The resources of the options, with every action that one of their roles allows. */
const offeredPermissions: readonly (readonly [resource: string, actions: readonly string[]])[] = [
  ...new Set(Object.values(facts.rolePermissions ?? {}).flatMap(Object.keys)),
].map((resource) => {
  const all = Object.values(facts.rolePermissions ?? {}).flatMap((role) => role[resource] ?? []);
  return [resource, [...new Set(all)]];
});

const knownResources = [
  "organization",
  "member",
  "invitation",
  "team",
  "apiKey",
  "webhook",
  "ac",
] as const;
const knownActions = ["create", "read", "update", "delete", "cancel"] as const;

/** Returns functions that name resources and actions. Those that the application added keep their names. */
const usePermissionNames = () => {
  const t = useTranslation("organizations");
  return {
    resource: (name: string): string => {
      const resource = knownResources.find((one) => one === name);
      return resource ? t(`ownRoles.resources.${resource}`) : name;
    },
    action: (name: string): string => {
      const action = knownActions.find((one) => one === name);
      return action ? t(`ownRoles.actions.${action}`) : name;
    },
  };
};

interface PermissionFieldsProps {
  organizationId: string;
  permission: Permission;
  onChange: (permission: Permission) => void;
}

/** A check box for each action on each resource. Those that the user lacks cannot be given. */
const PermissionFields = ({ organizationId, permission, onChange }: PermissionFieldsProps) => {
  const names = usePermissionNames();
  const holds = useHolds(organizationId);
  const toggle = (resource: string, action: string, isOn: boolean) => {
    const others = (permission[resource] ?? []).filter((one) => one !== action);
    const { [resource]: _, ...rest } = permission;
    const actions = isOn ? [...others, action] : others;
    onChange(actions.length > 0 ? { ...rest, [resource]: actions } : rest);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {offeredPermissions
        .filter(([, actions]) => actions.length > 0)
        .map(([resource, actions]) => (
          <fieldset key={resource} className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">{names.resource(resource)}</legend>
            {actions.map((action) => {
              const isOn = permission[resource]?.includes(action) === true;
              return (
                <CheckField
                  key={action}
                  label={names.action(action)}
                  checked={isOn}
                  disabled={!holds(resource, action)}
                  onChange={({ target }) => toggle(resource, action, target.checked)}
                />
              );
            })}
          </fieldset>
        ))}
    </div>
  );
};

interface RoleFormProps {
  organizationId: string;
  /** The role that is changed. Undefined for a new one. */
  role?: MadeRole;
  onClose: () => void;
}

const EditRole = ({ organizationId, role, onClose }: RoleFormProps) => {
  const t = useTranslation("organizations");
  const create = useOperation(createRole, { done: t("ownRoles.created"), onDone: onClose });
  const update = useOperation(updateRole, { done: t("ownRoles.changed"), onDone: onClose });
  const form = useForm<{ name: string; permission: Permission }>({
    defaultValues: { name: role?.role ?? "", permission: role?.permission ?? {} },
    change: role ? update : create,
    fieldOf: { ROLE_NAME_IS_ALREADY_TAKEN: "name" },
    onSubmit: ({ name, permission }) => {
      if (!role) return create.mutate({ body: { role: name.trim(), permission, organizationId } });
      const data = { permission, ...(name.trim() !== role.role && { roleName: name.trim() }) };
      return update.mutate({ body: { roleId: role.id, data, organizationId } });
    },
  });
  const { value, onChange } = form.choice("permission");
  return (
    <FormDialog
      form={form}
      title={role ? t("ownRoles.editOne", { name: role.role }) : t("ownRoles.create")}
      action={role ? t("save") : t("ownRoles.create")}
      isWide
      onClose={onClose}
    >
      <TextField
        {...form.field("name", {
          validate: (name) =>
            /^[a-z0-9][a-z0-9_-]{0,62}$/.test(name.trim()) || t("ownRoles.nameFault"),
        })}
        label={t("ownRoles.name")}
        hint={t("ownRoles.nameHint")}
        autoComplete="off"
        autoCapitalize="none"
        dir="ltr"
      />
      <PermissionFields organizationId={organizationId} permission={value} onChange={onChange} />
    </FormDialog>
  );
};

const DeleteRole = ({ organizationId, role, onClose }: Required<RoleFormProps>) => {
  const t = useTranslation("organizations");
  const remove = useOperation(deleteRole, { done: t("ownRoles.deleted"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("ownRoles.deleteTitle", { name: role.role })}
      description={t("ownRoles.deleteText")}
      action={t("ownRoles.delete")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { roleId: role.id, organizationId } })}
      onClose={onClose}
    />
  );
};

interface OpenDialog {
  Dialog: typeof DeleteRole;
  role: MadeRole;
}

interface RoleRowProps {
  role: MadeRole;
  may: ReturnType<typeof usePermissions<"ac:create" | "ac:delete" | "ac:update">>;
  onOpen: (open: OpenDialog) => void;
}

/** A role with its permissions, and the actions on it. */
const RoleRow = ({ role, may, onOpen }: RoleRowProps) => {
  const t = useTranslation("organizations");
  const names = usePermissionNames();
  const permissions = Object.entries(role.permission)
    .filter(([, actions]) => actions.length > 0)
    .map(
      ([resource, actions]) =>
        `${names.resource(resource)}: ${actions.map(names.action).join(", ")}`,
    );
  return (
    <Row
      title={<bdi>{role.role}</bdi>}
      details={permissions.join(" · ") || t("ownRoles.nothing")}
      actions={
        (may("ac:update") || may("ac:delete")) && (
          <RowMenu name={role.role}>
            {may("ac:update") && (
              <MenuItem onSelect={() => onOpen({ Dialog: EditRole, role })}>
                {t("ownRoles.edit")}
              </MenuItem>
            )}
            {may("ac:delete") && (
              <MenuItem isDangerous onSelect={() => onOpen({ Dialog: DeleteRole, role })}>
                {t("ownRoles.delete")}
              </MenuItem>
            )}
          </RowMenu>
        )
      }
    />
  );
};

/** The roles that the organization made itself. */
export const Roles = ({ organization: { id } }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(id, ["ac:create", "ac:update", "ac:delete"]);
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel
      title={t("tabs.roles")}
      text={t("ownRoles.text")}
      actions={
        may("ac:create") && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            {t("ownRoles.create")}
          </Button>
        )
      }
    >
      <Reading of={useMadeRoles(id)}>
        {(roles) =>
          roles.length === 0 ? (
            <EmptyState title={t("ownRoles.none")} />
          ) : (
            <Rows label={t("tabs.roles")}>
              {roles.map((role) => (
                <RoleRow key={role.id} role={role} may={may} onOpen={setOpen} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {isCreating && <EditRole organizationId={id} onClose={() => setIsCreating(false)} />}
      {open && (
        <open.Dialog organizationId={id} role={open.role} onClose={() => setOpen(undefined)} />
      )}
    </Panel>
  );
};
