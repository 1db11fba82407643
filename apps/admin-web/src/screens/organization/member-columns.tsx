import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Link } from "@tanstack/react-router";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
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
import type { Member } from "./use-organization.ts";
import { Confirm } from "../../components/confirm.tsx";
import { ChangeRoles } from "../../components/roles/change-roles.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useOption } from "../../components/use-option.ts";

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
    done: `${showEmail(member.user.email)} is now an owner.`,
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
    <DialogForm form={form} action="Make owner" onClose={onClose}>
      <Field
        label="Present owners"
        description={
          role.value === staysOwner
            ? "They keep their roles."
            : "This role replaces all their roles in this organization."
        }
        error={form.errorOf("previousOwnerRole")}
      >
        <Select
          choices={[
            { value: staysOwner, label: "Stay owners" },
            ...roles.map((name) => ({ value: name, label: `Become ${name}` })),
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
    title="Make owner"
    description={
      <>
        <bdi className="break-words">{showEmail(props.member.user.email)}</bdi> can then change
        everything in this organization.
      </>
    }
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

const { adminSetMemberRole, adminRemoveMember } = operations.organization;

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
    title={`Remove ${showEmail(member.user.email)}?`}
    action="Remove member"
    done={`${showEmail(member.user.email)} removed.`}
    onClose={onClose}
  >
    The user immediately loses their roles and teams in this organization. The user account is kept.
  </Confirm>
);

/** The actions on a member. */
const MemberMenu = ({ member }: { member: Member }) => {
  const [openDialog, setOpenDialog] = useState<"roles" | "owner" | "remove">();
  const onClose = () => setOpenDialog(undefined);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={`Actions on ${showEmail(member.user.email)}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpenDialog("roles")}>Change roles…</MenuItem>
        <MenuItem onSelect={() => setOpenDialog("owner")}>Make owner…</MenuItem>
        <MenuItem isDangerous onSelect={() => setOpenDialog("remove")}>
          Remove…
        </MenuItem>
      </DropdownMenu>
      {openDialog === "roles" && <RolesDialog member={member} onClose={onClose} />}
      {openDialog === "owner" && <TransferOwnership member={member} onClose={onClose} />}
      {openDialog === "remove" && <RemoveDialog member={member} onClose={onClose} />}
    </>
  );
};

const column = columnsOf<Member>();

const seen = [
  column.display({
    id: "email",
    header: "Member",
    enableHiding: false,
    cell: ({ row: { original: member } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={member.user.name || showEmail(member.user.email)} />
        <Link
          to="/users/$userId"
          params={{ userId: member.userId }}
          className="min-w-0 truncate rounded-sm font-medium hover:underline"
        >
          <bdi>{showEmail(member.user.email)}</bdi>
        </Link>
      </span>
    ),
  }),
  column.display({
    id: "name",
    header: "Name",
    meta: { priority: "medium" },
    cell: ({ row }) => <bdi>{row.original.user.name}</bdi>,
  }),
  column.display({
    id: "role",
    header: "Roles",
    meta: { width: "w-48", priority: "high" },
    cell: ({ row }) => <RoleBadges role={row.original.role} />,
  }),
  column.display({
    id: "joined",
    header: "Joined",
    meta: { sortBy: "joined", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: "ID",
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
    header: "Actions",
    enableHiding: false,
    meta: { width: "w-20" },
    cell: ({ row }) => <MemberMenu member={row.original} />,
  }),
]);
