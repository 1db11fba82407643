import type { ComponentType } from "react";
import { BanUser } from "./ban-user.tsx";
import { ChangeUserRoles } from "./change-user-roles.tsx";
import {
  DeleteUser,
  LiftBan,
  ResendInvitation,
  ResetSecondFactor,
  SendReset,
  SendVerification,
  SignOut,
  type UserDialogProps,
  VerifyAddress,
} from "./confirmations.tsx";
import { Impersonate } from "./impersonate.tsx";
import { SecureUser } from "./secure-user.tsx";
import { SetPassword } from "./set-password.tsx";
import type { UserAction } from "./user-search.ts";

const dialogs: Record<UserAction, ComponentType<UserDialogProps>> = {
  impersonate: Impersonate,
  roles: ChangeUserRoles,
  password: SetPassword,
  reset: SendReset,
  "reset-second-factor": ResetSecondFactor,
  "send-verification": SendVerification,
  "resend-invitation": ResendInvitation,
  verify: VerifyAddress,
  "sign-out": SignOut,
  secure: SecureUser,
  ban: BanUser,
  unban: LiftBan,
  delete: DeleteUser,
};

/** Renders the dialog of an action. */
export const UserDialog = ({ action, ...props }: UserDialogProps & { action: UserAction }) => {
  const Chosen = dialogs[action];
  return <Chosen {...props} />;
};
