import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The Simplified Chinese texts of the mails. Readers are addressed as "您". */
export const mails: Translated<typeof english> = {
  "greeting.named": "{name}，您好：",
  "greeting.plain": "您好：",
  "link.fallback": "如果按钮无法使用，请打开以下地址：",
  "foot.support": "如有疑问，请联系：{address}",
  "foot.terms": "服务条款",
  "foot.privacy": "隐私政策",
  "code.expiry": "此验证码将于 {time} 过期，且只能使用一次。",
  "code.warning": "{app} 的工作人员不会向您索要此验证码。请勿将其告诉任何人。",
  "browser.onSystem": "{browser}（{system, select, iPhone {iPhone} iPad {iPad} other {{system}}}）",
  "browser.unknown": "未知浏览器",
  "browser.atAddress": "{browser}，IP 地址 {address}",
  "verification.subject": "请验证您在 {app} 的电子邮件地址",
  "verification.lead": "请确认这是您在 {app} 使用的电子邮件地址。",
  "verification.action": "验证电子邮件地址",
  "verification.footer": "如果这不是您本人的请求，请忽略此邮件。",
  "passwordReset.subject": "重置您的 {app} 密码",
  "passwordReset.lead": "有人（可能是您本人）请求为您的 {app} 账户设置新密码。",
  "passwordReset.action": "设置新密码",
  "passwordReset.footer": "如果不是您本人操作，请忽略此邮件：您的密码不会改变。",
  "userInvitation.subject": "邀请您加入 {app}",
  "userInvitation.lead":
    "我们已为您创建 {app} 账户。请设置密码以便登录。此链接只能使用一次{hasExpiry, select, yes {，有效期至 {time}} other {}}。",
  "userInvitation.action": "设置密码",
  "userInvitation.footer": "如果您并未预期收到此邮件，可以忽略：没有密码，任何人都无法登录。",
  "accountDeletion.subject": "请确认删除您的 {app} 账户",
  "accountDeletion.lead": "请确认要删除您的 {app} 账户。此操作无法撤销。",
  "accountDeletion.action": "删除我的账户",
  "accountDeletion.footer": "如果这不是您本人的请求，请勿打开链接：您的账户将会保留。",
  "accountLinked.subject": "已关联一个 {provider} 账户",
  "accountLinked.lead": "一个 {provider} 账户已与您的 {app} 账户关联，今后可用于登录。",
  "accountLinked.footer":
    "如果不是您本人操作，他人可能有办法进入您的账户：请更改您在 {app} 的密码，并取消关联该 {provider} 账户。",
  "claimed.subject": "{app} 的登录方式已被移除",
  "claimed.lead":
    "您在 {app} 的账户的电子邮件地址已确认。此前该地址未经确认，因此账户可能由他人创建。已移除：{ended}。所有其他设备均已退出登录，之前的 API 密钥不再有效。",
  "claimed.choose": "请通过此链接设置新密码。该链接只能使用一次。",
  "claimed.action": "设置新密码",
  "claimed.footer":
    "如果这不是您本人的操作，则可能有人能够读取您的邮件：请更改邮箱密码，并联系 {app} 的支持人员。",
  "claimed.password": "密码",
  "claimed.accounts": "关联的账户",
  "claimed.passkeys": "通行密钥",
  "claimed.secondFactor": "第二重验证",
  "claimed.phoneNumber": "电话号码",
  "webhookPaused.subject": "已暂停向 {place} 发送事件",
  "webhookPaused.lead": "您的 Webhook {place} 自 {time} 起一直失败。它已被暂停，不再接收事件。",
  "webhookPaused.footer":
    "在此期间发生的事件会保留一段有限的时间。接收方恢复响应后，请在 {app} 恢复该 Webhook：等待中的事件随后会被发送。",
  "emailChange.subject": "请确认您在 {app} 的新电子邮件地址",
  "emailChange.lead": "请确认要将您在 {app} 的电子邮件地址更改为 {newEmail}。",
  "emailChange.action": "更改电子邮件地址",
  "emailChange.footer": "如果这不是您本人的请求，请勿打开链接，并更改您的密码。",
  "accountsMerged.subject": "您在 {app} 的账户已合并",
  "accountsMerged.lead":
    "{app} 的管理员于 {time} 合并了两个账户：{mergedEmail} 现已并入 {email}。今后请使用 {email} 登录。",
  "accountsMerged.footer":
    "如果其中有账户不属于您，或者您不同意合并，请在 {until} 之前联系 {app} 的客服。在此之前，合并可以撤销。",
  "accountsSeparated.subject": "您在 {app} 的账户合并已撤销",
  "accountsSeparated.lead":
    "{app} 的管理员于 {time} 撤销了两个账户的合并：{email} 和 {mergedEmail} 重新成为独立的账户。请分别使用各自的电子邮件地址登录。{email} 的所有会话均已结束。",
  "accountsSeparated.footer": "如果您不同意，或者其中有账户不属于您，请联系 {app} 的客服。",
  "emailChanged.subject": "您在 {app} 的电子邮件地址已更改",
  "emailChanged.lead":
    "您的 {app} 账户的电子邮件地址已更改为 {newEmail}。如果不是您本人操作，您可以通过此链接撤销更改{hasExpiry, select, yes {（有效期至 {time}）} other {}}。撤销后，所有设备都将退出登录，并由您设置新密码。",
  "emailChanged.action": "撤销更改",
  "emailChanged.footer": "如果是您本人更改了地址，请勿打开链接：您无需进行任何操作。",
  "signInLink.subject": "您的 {app} 登录链接",
  "signInLink.lead":
    "请打开此链接以登录 {app}。链接将于 {time} 过期，且只能使用一次。{app} 的工作人员不会向您索要此链接。请勿将其告诉任何人。",
  "signInLink.action": "登录",
  "signInLink.footer":
    "如果这不是您本人的请求，请勿打开链接，并忽略此邮件：没有链接，任何人都无法登录。",
  "invitation.subject":
    "邀请您加入 {app} 上的{hasOrganization, select, yes { {organization}} other {一个组织}}",
  "invitation.lead":
    "{inviter} 邀请您加入 {app} 上的{hasOrganization, select, yes { {organization}} other {一个组织}}。邀请将于 {time} 失效。",
  "invitation.action": "接受邀请",
  "invitation.footer": "如果您不认识对方，可以忽略此邮件：未经您操作，不会发生任何变化。",
  "twoFactorCode.subject": "请在 {app} 确认是您本人",
  "twoFactorCode.lead": "请在 {app} 输入此验证码，以确认是您本人。它是您账户的第二重验证。",
  "twoFactorCode.footer": "如果这不是您本人的请求，他人可能知道您的密码：请更改您在 {app} 的密码。",
  "emailCode.signIn.subject": "您的 {app} 登录验证码",
  "emailCode.signIn.lead": "请输入此验证码以登录 {app}。",
  "emailCode.signIn.footer": "如果这不是您本人的请求，请忽略此邮件：没有验证码，任何人都无法登录。",
  "emailCode.verification.subject": "请验证您在 {app} 的电子邮件地址",
  "emailCode.verification.lead": "请输入此验证码，以确认这是您在 {app} 使用的电子邮件地址。",
  "emailCode.verification.footer": "如果这不是您本人的请求，请忽略此邮件。",
  "emailCode.password.subject": "重置您的 {app} 密码",
  "emailCode.password.lead": "请输入此验证码，为您的 {app} 账户设置新密码。",
  "emailCode.password.footer": "如果这不是您本人的请求，请忽略此邮件：您的密码不会改变。",
  "emailCode.change.subject": "请确认您在 {app} 的新电子邮件地址",
  "emailCode.change.lead": "请输入此验证码，今后在您的 {app} 账户中使用此电子邮件地址。",
  "emailCode.change.footer": "如果这不是您本人的请求，请忽略此邮件：没有验证码，不会发生任何变化。",
  "twoFactorEnabled.subject": "您在 {app} 的双重验证已开启",
  "twoFactorEnabled.lead": "您的 {app} 账户的双重验证已开启。今后登录需要输入验证码。",
  "twoFactorEnabled.footer":
    "如果不是您本人操作，他人已能进入您的账户：请更改您在 {app} 的密码，并联系客服。",
  "twoFactorDisabled.subject": "您在 {app} 的双重验证已关闭",
  "twoFactorDisabled.lead": "您的 {app} 账户的双重验证已关闭。今后登录不再需要验证码。",
  "twoFactorDisabled.footer":
    "如果不是您本人操作，他人已能进入您的账户：请更改您在 {app} 的密码，并重新开启双重验证。",
  "twoFactorReset.subject": "您在 {app} 的双重验证已移除",
  "twoFactorReset.lead": "{app} 的管理员已移除您账户的双重验证。所有设备均已退出登录。",
  "twoFactorReset.footer":
    "请登录 {app}，并重新设置双重验证。如果这不是您本人的请求，请更改密码，并联系 {app} 的客服。",
  "twoFactorLocked.subject": "您在 {app} 的双重验证已锁定",
  "twoFactorLocked.lead": "您的 {app} 账户的双重验证被多次输入错误的验证码，现已锁定至 {time}。",
  "twoFactorLocked.footer":
    "如果不是您本人操作，他人可能知道您的密码：请更改您在 {app} 的密码。使用错误的验证码，任何人都无法登录。",
  "twoFactorRequired.subject": "请为 {app} 设置双重验证",
  "twoFactorRequired.lead":
    "自 {time} 起，您的 {app} 账户必须使用双重验证。请在此之前完成设置，否则您需要在下次登录时进行设置。",
  "twoFactorRequired.footer":
    "请按平常的方式打开 {app}：此邮件不含任何链接，{app} 的工作人员也不会向您索要验证码。",
  "backupCodeUsed.subject": "{app} 上的一个备用验证码已被使用",
  "backupCodeUsed.lead":
    "您的 {app} 账户的一个备用验证码已被使用。{codesLeft, plural, =0 {已没有剩余的备用验证码} other {还剩 # 个备用验证码}}。",
  "backupCodeUsed.footer":
    "如果不是您本人操作，他人已持有您的备用验证码：请更改您在 {app} 的密码，并创建新的备用验证码。",
  "backupCodesGenerated.subject": "{app} 已创建新的备用验证码",
  "backupCodesGenerated.lead": "已为您的 {app} 账户创建新的备用验证码。先前的备用验证码已失效。",
  "backupCodesGenerated.footer":
    "如果不是您本人操作，他人已能进入您的账户：请更改您在 {app} 的密码，并创建新的备用验证码。",
  "passkeyAdded.subject": "您的 {app} 账户已添加通行密钥",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {通行密钥“{label}”} other {一个通行密钥}}已添加到您的 {app} 账户（{origin}）。今后可用于登录。",
  "passkeyAdded.footer":
    "如果不是您本人操作，他人已能进入您的账户：请在 {app} 移除该通行密钥，并更改您的密码。",
  "passwordCompromised.subject": "请为 {app} 设置新密码",
  "passwordCompromised.lead":
    "您登录 {app} 时使用的密码已在其他网站泄露的数据中出现。其他人可能会尝试使用它，请在您的账户中设置其他密码。",
  "passwordCompromised.footer":
    "没有其他问题：{app} 的任何人都不知道您的密码，本邮件特意不包含链接。如果您在其他地方也使用此密码，请一并更改。",
  "browserAdded.subject": "{app} 有新的登录",
  "browserAdded.lead": "有人登录了您的 {app} 账户（{origin}）。您之前没有在那里登录过。",
  "browserAdded.footer": "如果是您本人，无需任何操作。如果不是，请在 {app} 更改密码并结束该会话。",
  "apiKeyAdded.subject": "{app} 上创建了一个 API 密钥",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {API 密钥“{label}”} other {一个 API 密钥}}已在 {app} 为{owner, select, organization {一个组织} other {您的账户}}创建（{creator, select, admin {由管理员操作} other {{origin}}}）。{opensSessions, select, yes {持有该密钥的程序可以代表您操作。} other {请删除不再需要的密钥。}}",
  "apiKeyAdded.footer":
    "如果这出乎您的意料，他人可能已能进入您的账户：请在 {app} 删除该密钥，并更改您的密码。",
  "passkeyRemoved.subject": "您的 {app} 账户已移除通行密钥",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {通行密钥“{label}”} other {一个通行密钥}}已从您的 {app} 账户移除，不能再用于登录。",
  "passkeyRemoved.footer":
    "如果这不是您本人的请求，他人可能已能进入您的账户：请更改您在 {app} 的密码，并检查您的通行密钥。",
  "phoneCode.subject": "{app} 的验证码",
  "phoneCode.phone-number": "您在 {app} 的验证码是 {code}。请勿告诉任何人。",
  "phoneCode.phone-password-reset": "您在 {app} 设置新密码的验证码是 {code}。请勿告诉任何人。",
  "phoneNumberChanged.subject": "您在 {app} 的账户的电话号码已更改",
  "phoneNumberChanged.lead":
    "{change, select, added {您在 {app} 的账户已设置电话号码。从现在起可以用它登录您的账户。} removed {您在 {app} 的账户的电话号码已移除。不能再用它登录。} other {他人已证明自己能够接收您在 {app} 的账户的电话号码的短信。您长时间未使用该号码，因此它已从您的账户中移除。}}",
  "phoneNumberChanged.footer":
    "如果这出乎您的意料，他人可能已能进入您的账户：请检查您在 {app} 的电话号码，并更改密码。",
  "passkeyRefused.subject": "{app} 拒绝了一次使用通行密钥的登录",
  "passkeyRefused.lead":
    "由于{hasLabel, select, yes {通行密钥“{label}”} other {该通行密钥}}可能已被复制，一次登录您的 {app} 账户的请求已被拒绝。",
  "passkeyRefused.footer":
    "请在 {app} 移除该通行密钥，并添加新的通行密钥。如果不是您本人登录，他人可能持有该通行密钥的副本。",
};
