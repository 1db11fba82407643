import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The Japanese texts of the mails. They have the polite form (desu, masu). */
export const mails: Translated<typeof english> = {
  "greeting.named": "{name} 様",
  "greeting.plain": "こんにちは。",
  "link.fallback": "ボタンが機能しない場合は、次のアドレスを開いてください。",
  "foot.support": "お問い合わせ先：{address}",
  "foot.terms": "利用規約",
  "foot.privacy": "プライバシーポリシー",
  "code.expiry": "このコードの有効期限は {time} で、使用できるのは 1 回だけです。",
  "code.warning":
    "{app} の担当者がこのコードをお尋ねすることはありません。誰にも教えないでください。",
  "browser.onSystem": "{browser}（{system, select, iPhone {iPhone} iPad {iPad} other {{system}}}）",
  "browser.unknown": "不明なブラウザー",
  "browser.atAddress": "{browser}、IP アドレス {address}",
  "verification.subject": "{app} のメールアドレスをご確認ください",
  "verification.lead": "これが {app} でお使いのメールアドレスであることをご確認ください。",
  "verification.action": "メールアドレスを確認する",
  "verification.footer": "お心当たりがない場合は、このメールを無視してください。",
  "passwordReset.subject": "{app} のパスワードの再設定",
  "passwordReset.lead":
    "{app} のアカウントの新しいパスワードの設定が、おそらくご本人により申請されました。",
  "passwordReset.action": "新しいパスワードを設定する",
  "passwordReset.footer":
    "お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。",
  "userInvitation.subject": "{app} にご招待します",
  "userInvitation.lead":
    "{app} にあなたのアカウントが作成されました。サインインするにはパスワードを設定してください。このリンクを使用できるのは 1 回だけです{hasExpiry, select, yes {（有効期限：{time}）} other {}}。",
  "userInvitation.action": "パスワードを設定する",
  "userInvitation.footer":
    "このメールにお心当たりがない場合は、無視してください。パスワードがなければ、誰もサインインできません。",
  "accountDeletion.subject": "{app} のアカウントの削除をご確認ください",
  "accountDeletion.lead":
    "{app} のアカウントを削除してよろしいかご確認ください。この操作は取り消せません。",
  "accountDeletion.action": "アカウントを削除する",
  "accountDeletion.footer":
    "お心当たりがない場合は、リンクを開かないでください。アカウントは削除されません。",
  "accountLinked.subject": "{provider} のアカウントが連携されました",
  "accountLinked.lead":
    "{provider} のアカウントが {app} のアカウントに連携され、今後サインインに使用できるようになりました。",
  "accountLinked.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスできる可能性があります。{app} のパスワードを変更し、{provider} のアカウントの連携を解除してください。",
  "claimed.subject": "{app} へのサインイン方法が削除されました",
  "claimed.lead":
    "{app} のアカウントのメールアドレスが確認されました。以前は確認されていなかったため、別の人がアカウントを作成した可能性があります。次のものが削除されました：{ended}。ほかのすべてのデバイスからサインアウトされ、以前の API キーは使用できなくなりました。",
  "claimed.choose":
    "このリンクから新しいパスワードを設定してください。使用できるのは 1 回だけです。",
  "claimed.action": "新しいパスワードを設定",
  "claimed.footer":
    "お心当たりがない場合は、別の人があなたのメールを読める状態です。メールボックスのパスワードを変更し、{app} のサポートにご連絡ください。",
  "claimed.password": "パスワード",
  "claimed.accounts": "連携アカウント",
  "claimed.passkeys": "パスキー",
  "claimed.secondFactor": "2 段階認証",
  "claimed.phoneNumber": "電話番号",
  "webhookPaused.subject": "{place} へのイベントの送信を一時停止しました",
  "webhookPaused.lead":
    "Webhook {place} への送信が {time} から失敗し続けているため、一時停止しました。以降のイベントは送信されません。",
  "webhookPaused.footer":
    "その間に発生したイベントは一定期間保存されます。受信側が再び応答するようになったら、{app} で Webhook を再開してください。待機中のイベントが送信されます。",
  "emailChange.subject": "{app} の新しいメールアドレスをご確認ください",
  "emailChange.lead": "{app} のメールアドレスを {newEmail} に変更してよろしいかご確認ください。",
  "emailChange.action": "メールアドレスを変更する",
  "emailChange.footer": "お心当たりがない場合は、リンクを開かずに、パスワードを変更してください。",
  "accountsMerged.subject": "{app} のアカウントが統合されました",
  "accountsMerged.lead":
    "{app} の管理者が {time} に 2 つのアカウントを統合しました。{mergedEmail} は {email} の一部になりました。今後は {email} でサインインしてください。",
  "accountsMerged.footer":
    "どちらかのアカウントがご自身のものでない場合や、同意されない場合は、{until} までに {app} のサポートにお問い合わせください。それまでは統合を取り消すことができます。",
  "accountsSeparated.subject": "{app} のアカウントの統合が取り消されました",
  "accountsSeparated.lead":
    "{app} の管理者が {time} に 2 つのアカウントの統合を取り消しました。{email} と {mergedEmail} は再び別々のアカウントになりました。それぞれのメールアドレスでサインインしてください。{email} のすべてのセッションは終了しました。",
  "accountsSeparated.footer":
    "同意されない場合や、どちらかのアカウントがご自身のものでない場合は、{app} のサポートにお問い合わせください。",
  "emailChanged.subject": "{app} のメールアドレスが変更されました",
  "emailChanged.lead":
    "{app} のアカウントのメールアドレスが {newEmail} に変更されました。お心当たりがない場合は、このリンクから変更を取り消すことができます{hasExpiry, select, yes {（有効期限：{time}）} other {}}。取り消すと、すべての端末がサインアウトされ、新しいパスワードを設定していただきます。",
  "emailChanged.action": "変更を取り消す",
  "emailChanged.footer":
    "ご自身でアドレスを変更された場合は、リンクを開かないでください。何もする必要はありません。",
  "signInLink.subject": "{app} へのサインイン用リンク",
  "signInLink.lead":
    "{app} にサインインするには、このリンクを開いてください。有効期限は {time} で、使用できるのは 1 回だけです。{app} の担当者がこのリンクをお尋ねすることはありません。誰にも教えないでください。",
  "signInLink.action": "サインインする",
  "signInLink.footer":
    "お心当たりがない場合は、リンクを開かずに、このメールを無視してください。リンクがなければ、誰もサインインできません。",
  "invitation.subject":
    "{app} の{hasOrganization, select, yes { {organization} } other {組織}}への招待",
  "invitation.lead":
    "{inviter} さんが、{app} の{hasOrganization, select, yes { {organization} } other {組織}}にあなたを招待しています。招待の有効期限は {time} です。",
  "invitation.action": "招待を承諾する",
  "invitation.footer":
    "招待者にお心当たりがない場合は、このメールを無視してください。あなたの操作なしには何も行われません。",
  "twoFactorCode.subject": "{app} でのご本人確認",
  "twoFactorCode.lead":
    "ご本人であることを確認するため、このコードを {app} に入力してください。これはアカウントの 2 つ目の認証要素です。",
  "twoFactorCode.footer":
    "お心当たりがない場合は、第三者がパスワードを知っている可能性があります。{app} のパスワードを変更してください。",
  "emailCode.signIn.subject": "{app} へのサインイン用コード",
  "emailCode.signIn.lead": "{app} にサインインするには、このコードを入力してください。",
  "emailCode.signIn.footer":
    "お心当たりがない場合は、このメールを無視してください。コードがなければ、誰もサインインできません。",
  "emailCode.verification.subject": "{app} のメールアドレスをご確認ください",
  "emailCode.verification.lead":
    "これが {app} でお使いのメールアドレスであることを確認するため、このコードを入力してください。",
  "emailCode.verification.footer": "お心当たりがない場合は、このメールを無視してください。",
  "emailCode.password.subject": "{app} のパスワードの再設定",
  "emailCode.password.lead":
    "{app} のアカウントに新しいパスワードを設定するには、このコードを入力してください。",
  "emailCode.password.footer":
    "お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。",
  "emailCode.change.subject": "{app} の新しいメールアドレスをご確認ください",
  "emailCode.change.lead":
    "今後このメールアドレスを {app} のアカウントで使用するには、このコードを入力してください。",
  "emailCode.change.footer":
    "お心当たりがない場合は、このメールを無視してください。コードがなければ、何も変更されません。",
  "twoFactorEnabled.subject": "{app} の 2 要素認証が有効になりました",
  "twoFactorEnabled.lead":
    "{app} のアカウントの 2 要素認証が有効になりました。今後のサインインにはコードが必要です。",
  "twoFactorEnabled.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしています。{app} のパスワードを変更し、サポートにお問い合わせください。",
  "twoFactorDisabled.subject": "{app} の 2 要素認証が無効になりました",
  "twoFactorDisabled.lead":
    "{app} のアカウントの 2 要素認証が無効になりました。今後のサインインにコードは必要ありません。",
  "twoFactorDisabled.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしています。{app} のパスワードを変更し、2 要素認証を再び有効にしてください。",
  "twoFactorReset.subject": "{app} の 2 要素認証が解除されました",
  "twoFactorReset.lead":
    "{app} の管理者がアカウントの 2 要素認証を解除しました。すべての端末がサインアウトされました。",
  "twoFactorReset.footer":
    "{app} にサインインし、2 要素認証を再び設定してください。お心当たりがない場合は、パスワードを変更し、{app} のサポートにお問い合わせください。",
  "twoFactorLocked.subject": "{app} の 2 要素認証がロックされています",
  "twoFactorLocked.lead":
    "{app} のアカウントの 2 要素認証で、誤ったコードが何度も入力されました。{time} までロックされています。",
  "twoFactorLocked.footer":
    "お心当たりがない場合は、第三者がパスワードを知っている可能性があります。{app} のパスワードを変更してください。誤ったコードでは誰もサインインできません。",
  "twoFactorRequired.subject": "{app} の 2 要素認証を設定してください",
  "twoFactorRequired.lead":
    "{app} のアカウントには {time} から 2 要素認証が必要になります。それまでに設定してください。設定されていない場合は、次回のサインイン時に設定していただきます。",
  "twoFactorRequired.footer":
    "いつもの方法で {app} を開いてください。このメールにリンクは含まれておらず、{app} の担当者がコードをお尋ねすることもありません。",
  "backupCodeUsed.subject": "{app} でバックアップコードが使用されました",
  "backupCodeUsed.lead":
    "{app} のアカウントのバックアップコードが使用されました。{codesLeft, plural, =0 {バックアップコードは残っていません} other {残りのバックアップコードは # 個です}}。",
  "backupCodeUsed.footer":
    "お心当たりがない場合は、第三者がバックアップコードを持っています。{app} のパスワードを変更し、新しいバックアップコードを作成してください。",
  "backupCodesGenerated.subject": "{app} で新しいバックアップコードが作成されました",
  "backupCodesGenerated.lead":
    "{app} のアカウントの新しいバックアップコードが作成されました。以前のコードは無効になりました。",
  "backupCodesGenerated.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしています。{app} のパスワードを変更し、新しいバックアップコードを作成してください。",
  "passkeyAdded.subject": "{app} のアカウントにパスキーが追加されました",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {パスキー「{label}」} other {パスキー}}が {app} のアカウントに追加されました（{origin}）。今後サインインに使用できます。",
  "passkeyAdded.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしています。{app} でこのパスキーを削除し、パスワードを変更してください。",
  "passwordCompromised.subject": "{app} の新しいパスワードを設定してください",
  "passwordCompromised.lead":
    "{app} へのサインインに使われたパスワードは、他のウェブサイトからの漏えいが確認されています。他の人に試されるおそれがあるため、アカウントで別のパスワードを設定してください。",
  "passwordCompromised.footer":
    "その他の問題はありません。{app} の関係者がパスワードを知ることはなく、このメールには意図的にリンクを含めていません。同じパスワードを使っている他のサービスでも変更してください。",
  "browserAdded.subject": "{app} への新しいサインイン",
  "browserAdded.lead":
    "{app} のアカウントにサインインがありました（{origin}）。このブラウザーからのサインインは初めてです。",
  "browserAdded.footer":
    "ご本人の場合、必要な操作はありません。心当たりがない場合は、{app} でパスワードを変更し、セッションを終了してください。",
  "apiKeyAdded.subject": "{app} で API キーが作成されました",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {API キー「{label}」} other {API キー}}が {app} の{owner, select, organization {組織} other {お客様のアカウント}}用に作成されました（{creator, select, admin {管理者による} other {{origin}}}）。{opensSessions, select, yes {このキーを持つプログラムは、お客様として操作できます。} other {不要になったキーは削除してください。}}",
  "apiKeyAdded.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしている可能性があります。{app} でこのキーを削除し、パスワードを変更してください。",
  "passkeyRemoved.subject": "{app} のアカウントからパスキーが削除されました",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {パスキー「{label}」} other {パスキー}}が {app} のアカウントから削除されました。今後サインインには使用できません。",
  "passkeyRemoved.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしている可能性があります。{app} のパスワードを変更し、パスキーを確認してください。",
  "phoneCode.subject": "{app} のコード",
  "phoneCode.phone-number": "{app} のコードは {code} です。誰にも教えないでください。",
  "phoneCode.phone-password-reset":
    "{app} の新しいパスワードを設定するコードは {code} です。誰にも教えないでください。",
  "phoneNumberChanged.subject": "{app} のアカウントの電話番号が変更されました",
  "phoneNumberChanged.lead":
    "{change, select, added {{app} のアカウントに電話番号が設定されました。今後、この番号でサインインできます。} removed {{app} のアカウントの電話番号が削除されました。この番号ではサインインできなくなりました。} other {別の方が、{app} のアカウントの電話番号で SMS を受信できることを証明しました。長い間使われていなかったため、この番号はアカウントから削除されました。}}",
  "phoneNumberChanged.footer":
    "お心当たりがない場合は、第三者がアカウントにアクセスしている可能性があります。{app} の電話番号を確認し、パスワードを変更してください。",
  "passkeyRefused.subject": "{app} でパスキーによるサインインが拒否されました",
  "passkeyRefused.lead":
    "{hasLabel, select, yes {パスキー「{label}」} other {パスキー}}が複製された可能性があるため、{app} のアカウントへのサインインが拒否されました。",
  "passkeyRefused.footer":
    "{app} でこのパスキーを削除し、新しいパスキーを追加してください。サインインにお心当たりがない場合は、第三者がパスキーの複製を持っている可能性があります。",
};
