import { showEmail } from "@latchkey/contracts/email-address.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { Person } from "../../components/users/person.tsx";
import type { Member } from "./use-organization.ts";
import { Confirm } from "../../components/confirm.tsx";
import { ChangeRoles } from "../../components/roles/change-roles.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { type EditableField, editableFields } from "../../components/fields/field-text.ts";
import {
  changedFields,
  fieldPaths,
  fieldTexts,
  type FieldTexts,
  FormFields,
} from "../../components/fields/form-fields.tsx";
import { useOption } from "../../components/use-option.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

interface TransferProps {
  member: Member;
  onClose: () => void;
}

/** Stands for the role that present owners have. No role has an empty name. */
const staysOwner = "";

const TransferForm = ({ member, onClose }: TransferProps) => {
  const option = useOption("organization.creatorRole");
  const creatorRole = typeof option === "string" ? option : "owner";
  const roles = useRoleNames("organization.roles").filter((name) => name !== creatorRole);
  const transfer = useOperation(operations.organization.adminTransferOwnership, {
    showsError: true,
    done: t("members.transfer.done", { email: showEmail(member.user.email) }),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: { previousOwnerRole: staysOwner },
    change: transfer,
    onSubmit: ({ previousOwnerRole }) =>
      transfer.mutate({
        params: { id: member.organizationId },
        body: {
          memberId: member.id,
          ...(previousOwnerRole !== staysOwner && { previousOwnerRole }),
        },
      }),
  });
  const role = form.choice("previousOwnerRole");
  return (
    <DialogForm form={form} action={t("members.transfer.action")} onClose={onClose}>
      <Field
        label={t("members.transfer.presentOwners")}
        description={
          role.value === staysOwner
            ? t("members.transfer.keepRoles")
            : t("members.transfer.replaceRoles")
        }
        error={form.errorOf("previousOwnerRole")}
      >
        <Select
          choices={[
            { value: staysOwner, label: t("members.transfer.stayOwners") },
            ...roles.map((name) => ({
              value: name,
              label: t("members.transfer.become", { role: name }),
            })),
          ]}
          {...role}
        />
      </Field>
    </DialogForm>
  );
};

/** Makes a member an owner, and gives the present owners another role on request. */
const TransferOwnership = (props: TransferProps) => (
  <Dialog
    title={t("members.transfer.action")}
    description={richText("members.transfer.text", {
      email: <bdi className="break-words">{showEmail(props.member.user.email)}</bdi>,
    })}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <TransferForm {...props} />
  </Dialog>
);

interface OneMember {
  member: Member;
  onClose: () => void;
}

const { adminSetMemberRole, adminRemoveMember, adminUpdateMember } = operations.organization;

const RolesDialog = ({ member, onClose }: OneMember) => (
  <ChangeRoles
    operation={adminSetMemberRole}
    inputOf={(role) => ({
      params: { id: member.organizationId },
      body: { memberId: member.id, role },
    })}
    email={member.user.email}
    role={member.role}
    roleNames={useRoleNames("organization.roles", [member.role])}
    description={<bdi className="break-words">{showEmail(member.user.email)}</bdi>}
    onClose={onClose}
  />
);

const RemoveDialog = ({ member, onClose }: OneMember) => (
  <Confirm
    operation={adminRemoveMember}
    input={{ params: { id: member.organizationId }, body: { memberId: member.id } }}
    title={t("common.removeQuestion", { name: showEmail(member.user.email) })}
    action={t("members.remove.action")}
    done={t("common.removed", { name: showEmail(member.user.email) })}
    onClose={onClose}
  >
    {t("members.remove.text")}
  </Confirm>
);

interface MemberFieldsProps extends OneMember {
  fields: readonly EditableField[];
}

const MemberFieldsForm = ({ member, fields, onClose }: MemberFieldsProps) => {
  const change = useOperation(adminUpdateMember, {
    showsError: true,
    done: t("members.fields.done"),
    onDone: onClose,
  });
  const saved = fieldTexts(fields, { ...member });
  const schema = z.object({ fields: changedFields(fields, saved) });
  const form = useForm<{ fields: FieldTexts }, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { fields: saved },
    change,
    fieldOf: fieldPaths(fields),
    onSubmit: ({ fields: data }) =>
      change.mutate({ params: { id: member.organizationId }, body: { memberId: member.id, data } }),
  });
  return (
    <DialogForm form={form} action={t("common.save")} onClose={onClose}>
      <FormFields fields={fields} form={form} />
    </DialogForm>
  );
};

/** Changes the additional fields of a member. */
const FieldsDialog = (props: MemberFieldsProps) => (
  <Dialog
    title={t("members.fields.title")}
    description={<bdi className="break-words">{showEmail(props.member.user.email)}</bdi>}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <MemberFieldsForm {...props} />
  </Dialog>
);

/** The actions on a member. */
const MemberMenu = ({ member }: { member: Member }) => {
  const [openDialog, setOpenDialog] = useState<"roles" | "fields" | "owner" | "remove">();
  const fields = editableFields(useOption("organization.schema.member.additionalFields"));
  const onClose = () => setOpenDialog(undefined);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={t("common.actionsOn", { name: showEmail(member.user.email) })}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpenDialog("roles")}>{t("userActions.labels.roles")}</MenuItem>
        {fields.length > 0 && (
          <MenuItem onSelect={() => setOpenDialog("fields")}>{t("members.fields.button")}</MenuItem>
        )}
        <MenuItem onSelect={() => setOpenDialog("owner")}>{t("members.transfer.button")}</MenuItem>
        <MenuItem isDangerous onSelect={() => setOpenDialog("remove")}>
          {t("members.remove.button")}
        </MenuItem>
      </DropdownMenu>
      {openDialog === "roles" && <RolesDialog member={member} onClose={onClose} />}
      {openDialog === "fields" && (
        <FieldsDialog member={member} fields={fields} onClose={onClose} />
      )}
      {openDialog === "owner" && <TransferOwnership member={member} onClose={onClose} />}
      {openDialog === "remove" && <RemoveDialog member={member} onClose={onClose} />}
    </>
  );
};

const column = columnsOf<Member>();

const seen = [
  column.display({
    id: "email",
    header: t("members.member"),
    enableHiding: false,
    cell: ({ row: { original } }) => <Person {...original.user} id={original.userId} />,
  }),
  column.display({
    id: "role",
    header: t("common.roles"),
    meta: { width: "w-48", priority: "high" },
    cell: ({ row }) => <RoleBadges role={row.original.role} />,
  }),
  column.display({
    id: "joined",
    header: t("common.joined"),
    meta: { sortBy: "joined", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: t("common.id"),
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => (
      <CopyId id={row.original.id} of={showEmail(row.original.user.email)} hidesId />
    ),
  }),
];

/** The columns for admins who may only read. */
export const memberColumns = column.columns(seen);

/** The columns for admins who may change members. */
export const changeableMemberColumns = column.columns([
  ...seen,
  column.display({
    id: "actions",
    header: t("common.actions"),
    enableHiding: false,
    meta: { width: "w-20" },
    cell: ({ row }) => <MemberMenu member={row.original} />,
  }),
]);
