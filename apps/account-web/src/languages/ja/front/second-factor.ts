import type { Translation } from "../../messages.ts";

export const secondFactor: Translation<"front", "secondFactor"> = {
  title: "ご本人確認",
  app: {
    label: "認証アプリのコード",
    hint: "認証アプリに表示されたコードを入力してください。",
    use: "認証アプリを使用",
  },
  mail: {
    label: "メールのコード",
    hint: "コードをメールでお送りします。有効期間は数分間です。",
    use: "メールのコードを使用",
    send: "コードをメールで送信",
    sent: "コードをメールで送信しました。",
    resend: "コードを再送信",
  },
  backup: {
    label: "バックアップコード",
    hint: "保存したバックアップコードの 1 つを入力してください。各コードは 1 回だけ使用できます。",
    use: "バックアップコードを使用",
  },
  trust: "このブラウザーを信頼する",
  submit: "確認",
  expired: "このサインインは有効期限が切れました。もう一度サインインしてください。",
  tooMany: "誤ったコードが何度も入力されました。もう一度サインインしてください。",
  enrolment: {
    title: "2 要素認証を設定",
    text: "このアカウントには 2 要素認証が必要です。続行するには認証アプリを設定してください。",
    action: "アプリを設定",
  },
};
