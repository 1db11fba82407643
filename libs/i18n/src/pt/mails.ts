import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The Portuguese texts of the mails. Readers are addressed as "você", as in Brazil. */
export const mails: Translated<typeof english> = {
  "greeting.named": "Olá, {name},",
  "greeting.plain": "Olá,",
  "link.fallback": "Se o botão não funcionar, abra este endereço:",
  "foot.support": "Dúvidas? Escreva para {address}",
  "foot.terms": "Termos de serviço",
  "foot.privacy": "Política de privacidade",
  "code.expiry": "O código expira em {time} e só pode ser usado uma vez.",
  "code.warning": "Ninguém de {app} pedirá este código. Não o compartilhe com ninguém.",
  "browser.onSystem":
    "{browser} em {system, select, iPhone {um iPhone} iPad {um iPad} other {{system}}}",
  "browser.unknown": "um navegador desconhecido",
  "browser.atAddress": "{browser}, com o endereço IP {address}",
  "verification.subject": "Verifique seu e-mail para {app}",
  "verification.lead": "Confirme que este é o seu endereço de e-mail para {app}.",
  "verification.action": "Verificar e-mail",
  "verification.footer": "Se você não fez esta solicitação, pode ignorar este e-mail.",
  "passwordReset.subject": "Redefina sua senha de {app}",
  "passwordReset.lead":
    "Alguém, provavelmente você, solicitou uma nova senha para a sua conta em {app}.",
  "passwordReset.action": "Escolher uma nova senha",
  "passwordReset.footer":
    "Se não foi você, pode ignorar este e-mail: sua senha continuará a mesma.",
  "userInvitation.subject": "Você recebeu um convite para {app}",
  "userInvitation.lead":
    "Uma conta em {app} foi criada para você. Escolha uma senha para entrar. O link só funciona uma vez{hasExpiry, select, yes {, até {time}} other {}}.",
  "userInvitation.action": "Escolher uma senha",
  "userInvitation.footer":
    "Se você não esperava este e-mail, pode ignorá-lo: sem uma senha, ninguém consegue entrar.",
  "accountDeletion.subject": "Confirme a exclusão da sua conta em {app}",
  "accountDeletion.lead":
    "Confirme que a sua conta em {app} deve ser excluída. Esta ação não pode ser desfeita.",
  "accountDeletion.action": "Excluir minha conta",
  "accountDeletion.footer":
    "Se você não fez esta solicitação, não abra o link: sua conta será mantida.",
  "accountLinked.subject": "Uma conta de {provider} foi vinculada",
  "accountLinked.lead":
    "Uma conta de {provider} foi vinculada à sua conta em {app}. A partir de agora, é possível entrar com ela.",
  "accountLinked.footer":
    "Se não foi você, outra pessoa pode ter acesso à sua conta: altere sua senha em {app} e desvincule a conta de {provider}.",
  "claimed.subject": "Formas de entrar em {app} foram removidas",
  "claimed.lead":
    "Seu e-mail foi confirmado para sua conta em {app}. Ele não estava confirmado antes, então outra pessoa pode ter criado a conta. Foram removidos: {ended}. Todos os outros dispositivos foram desconectados e as chaves de API anteriores não funcionam mais.",
  "claimed.choose": "Escolha uma nova senha por este link. Ele só funciona uma vez.",
  "claimed.action": "Escolher uma nova senha",
  "claimed.footer":
    "Se não foi você, outra pessoa pode ler seus e-mails: altere a senha da sua caixa de e-mail e entre em contato com o suporte de {app}.",
  "claimed.password": "a senha",
  "claimed.accounts": "as contas vinculadas",
  "claimed.passkeys": "as chaves de acesso",
  "claimed.secondFactor": "o segundo fator",
  "claimed.phoneNumber": "o número de telefone",
  "webhookPaused.subject": "Os eventos para {place} estão pausados",
  "webhookPaused.lead":
    "Seu webhook {place} está falhando desde {time}. Ele foi pausado e não recebe mais eventos.",
  "webhookPaused.footer":
    "Os eventos que ocorrerem nesse período são guardados por tempo limitado. Quando o receptor voltar a responder, retome o webhook em {app}: os eventos em espera serão então enviados.",
  "emailChange.subject": "Confirme seu novo e-mail para {app}",
  "emailChange.lead":
    "Confirme que o seu endereço de e-mail para {app} deve ser alterado para {newEmail}.",
  "emailChange.action": "Alterar e-mail",
  "emailChange.footer": "Se você não fez esta solicitação, não abra o link e altere sua senha.",
  "accountsMerged.subject": "Suas contas em {app} foram unificadas",
  "accountsMerged.lead":
    "A administração de {app} unificou duas contas em {time}: {mergedEmail} agora faz parte de {email}. A partir de agora, entre com {email}.",
  "accountsMerged.footer":
    "Se uma das contas não for sua ou se você não concordar, entre em contato com o suporte de {app} antes de {until}. Até lá, a unificação pode ser desfeita.",
  "accountsSeparated.subject": "A unificação das suas contas em {app} foi desfeita",
  "accountsSeparated.lead":
    "A administração de {app} desfez a unificação de duas contas em {time}: {email} e {mergedEmail} voltaram a ser contas separadas. Entre em cada uma com o próprio e-mail. Todas as sessões de {email} foram encerradas.",
  "accountsSeparated.footer":
    "Se você não concordar ou se uma das contas não for sua, entre em contato com o suporte de {app}.",
  "emailChanged.subject": "Seu e-mail para {app} foi alterado",
  "emailChanged.lead":
    "O endereço de e-mail da sua conta em {app} foi alterado para {newEmail}. Se não foi você, é possível desfazer a alteração com este link{hasExpiry, select, yes { até {time}} other {}}. Todos os dispositivos também serão desconectados, e você escolherá uma nova senha.",
  "emailChanged.action": "Desfazer a alteração",
  "emailChanged.footer":
    "Se foi você quem alterou o endereço, não abra o link: não é preciso fazer nada.",
  "signInLink.subject": "Seu link para entrar em {app}",
  "signInLink.lead":
    "Abra este link para entrar em {app}. Ele expira em {time} e só funciona uma vez. Ninguém de {app} pedirá este link. Não o compartilhe com ninguém.",
  "signInLink.action": "Entrar",
  "signInLink.footer":
    "Se você não fez esta solicitação, não abra o link e ignore este e-mail: sem o link, ninguém consegue entrar.",
  "invitation.subject":
    "Convite para {hasOrganization, select, yes {{organization}} other {uma organização}} em {app}",
  "invitation.lead":
    "{inviter} convida você para participar de {hasOrganization, select, yes {{organization}} other {uma organização}} em {app}. O convite expira em {time}.",
  "invitation.action": "Aceitar o convite",
  "invitation.footer":
    "Se você não conhece essa pessoa, pode ignorar este e-mail: nada acontecerá sem você.",
  "twoFactorCode.subject": "Confirme que é você em {app}",
  "twoFactorCode.lead":
    "Digite este código em {app} para confirmar que é você. Ele é o segundo fator da sua conta.",
  "twoFactorCode.footer":
    "Se você não fez esta solicitação, outra pessoa pode saber sua senha: altere sua senha em {app}.",
  "emailCode.signIn.subject": "Seu código para entrar em {app}",
  "emailCode.signIn.lead": "Digite este código para entrar em {app}.",
  "emailCode.signIn.footer":
    "Se você não fez esta solicitação, pode ignorar este e-mail: sem o código, ninguém consegue entrar.",
  "emailCode.verification.subject": "Verifique seu e-mail para {app}",
  "emailCode.verification.lead":
    "Digite este código para confirmar que este é o seu endereço de e-mail para {app}.",
  "emailCode.verification.footer": "Se você não fez esta solicitação, pode ignorar este e-mail.",
  "emailCode.password.subject": "Redefina sua senha de {app}",
  "emailCode.password.lead":
    "Digite este código para definir uma nova senha para a sua conta em {app}.",
  "emailCode.password.footer":
    "Se você não fez esta solicitação, pode ignorar este e-mail: sua senha continuará a mesma.",
  "emailCode.change.subject": "Confirme seu novo e-mail para {app}",
  "emailCode.change.lead":
    "Digite este código para passar a usar este endereço de e-mail na sua conta em {app}.",
  "emailCode.change.footer":
    "Se você não fez esta solicitação, pode ignorar este e-mail: sem o código, nada mudará.",
  "twoFactorEnabled.subject": "Seu segundo fator em {app} foi ativado",
  "twoFactorEnabled.lead":
    "O segundo fator da sua conta em {app} foi ativado. A partir de agora, é necessário um código para entrar.",
  "twoFactorEnabled.footer":
    "Se não foi você, outra pessoa tem acesso à sua conta: altere sua senha em {app} e entre em contato com o suporte.",
  "twoFactorDisabled.subject": "Seu segundo fator em {app} foi desativado",
  "twoFactorDisabled.lead":
    "O segundo fator da sua conta em {app} foi desativado. Não é mais necessário um código para entrar.",
  "twoFactorDisabled.footer":
    "Se não foi você, outra pessoa tem acesso à sua conta: altere sua senha em {app} e ative novamente o segundo fator.",
  "twoFactorReset.subject": "Seu segundo fator em {app} foi removido",
  "twoFactorReset.lead":
    "A administração de {app} removeu o segundo fator da sua conta. Todos os dispositivos foram desconectados.",
  "twoFactorReset.footer":
    "Entre em {app} e configure novamente um segundo fator. Se você não fez esta solicitação, altere sua senha e entre em contato com o suporte de {app}.",
  "twoFactorLocked.subject": "Seu segundo fator em {app} está bloqueado",
  "twoFactorLocked.lead":
    "Muitos códigos incorretos foram digitados para o segundo fator da sua conta em {app}. Ele está bloqueado até {time}.",
  "twoFactorLocked.footer":
    "Se não foi você, outra pessoa pode saber sua senha: altere sua senha em {app}. Códigos incorretos não permitem que ninguém entre.",
  "twoFactorRequired.subject": "Configure um segundo fator para {app}",
  "twoFactorRequired.lead":
    "A sua conta em {app} precisará de um segundo fator a partir de {time}. Configure-o antes disso; caso contrário, será preciso fazê-lo na próxima vez que entrar.",
  "twoFactorRequired.footer":
    "Abra {app} como de costume: este e-mail não contém nenhum link, e ninguém de {app} pedirá um código.",
  "backupCodeUsed.subject": "Um código de backup foi usado em {app}",
  "backupCodeUsed.lead":
    "Um código de backup da sua conta em {app} foi usado. {codesLeft, plural, =0 {Não resta nenhum código de backup} one {Resta # código de backup} other {Restam # códigos de backup}}.",
  "backupCodeUsed.footer":
    "Se não foi você, outra pessoa tem seus códigos de backup: altere sua senha em {app} e crie novos códigos de backup.",
  "backupCodesGenerated.subject": "Novos códigos de backup foram criados em {app}",
  "backupCodesGenerated.lead":
    "Novos códigos de backup foram criados para a sua conta em {app}. Os anteriores não são mais válidos.",
  "backupCodesGenerated.footer":
    "Se não foi você, outra pessoa tem acesso à sua conta: altere sua senha em {app} e crie novos códigos de backup.",
  "passkeyAdded.subject": "Uma chave de acesso foi adicionada à sua conta em {app}",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {A chave de acesso “{label}”} other {Uma chave de acesso}} foi adicionada à sua conta em {app} por meio de {origin}. A partir de agora, é possível entrar com ela.",
  "passkeyAdded.footer":
    "Se não foi você, outra pessoa tem acesso à sua conta: remova a chave de acesso em {app} e altere sua senha.",
  "passwordCompromised.subject": "Escolha uma nova senha para {app}",
  "passwordCompromised.lead":
    "Você entrou em {app} com uma senha que é conhecida por vazamentos de outros sites. Outras pessoas podem tentar usá-la. Escolha outra na sua conta.",
  "passwordCompromised.footer":
    "Não há nenhum outro problema: ninguém em {app} conhece a sua senha, e este e-mail não contém links de propósito. Troque-a também nos outros lugares em que a usa.",
  "browserAdded.subject": "Nova entrada em {app}",
  "browserAdded.lead":
    "Alguém entrou na sua conta em {app} ({origin}). Você ainda não tinha entrado por lá.",
  "browserAdded.footer":
    "Se foi você, não é preciso fazer nada. Se não, altere sua senha em {app} e encerre a sessão.",
  "apiKeyAdded.subject": "Uma chave de API foi criada em {app}",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {A chave de API “{label}”} other {Uma chave de API}} foi criada {owner, select, organization {para uma organização} other {para a sua conta}} em {app} ({creator, select, admin {pela administração} other {{origin}}}). {opensSessions, select, yes {Um programa que tenha a chave pode agir em seu nome.} other {Exclua as chaves de que ninguém mais precisa.}}",
  "apiKeyAdded.footer":
    "Se você não esperava isso, outra pessoa pode ter acesso à sua conta: exclua a chave em {app} e altere sua senha.",
  "passkeyRemoved.subject": "Uma chave de acesso foi removida da sua conta em {app}",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {A chave de acesso “{label}”} other {Uma chave de acesso}} foi removida da sua conta em {app}. Não é mais possível entrar com ela.",
  "passkeyRemoved.footer":
    "Se você não fez esta solicitação, outra pessoa pode ter acesso à sua conta: altere sua senha em {app} e verifique suas chaves de acesso.",
  "phoneCode.subject": "Código para {app}",
  "phoneCode.phone-number": "Seu código para {app} é {code}. Não o informe a ninguém.",
  "phoneCode.phone-password-reset":
    "Seu código para definir uma nova senha em {app} é {code}. Não o informe a ninguém.",
  "phoneNumberChanged.subject": "O número de telefone da sua conta em {app} foi alterado",
  "phoneNumberChanged.lead":
    "{change, select, added {Um número de telefone foi definido para a sua conta em {app}. A partir de agora, ele permite entrar nela.} removed {O número de telefone da sua conta em {app} foi removido. Ele não permite mais entrar.} other {Outra pessoa comprovou que recebe os SMS do número de telefone da sua conta em {app}. Você não o usava há muito tempo, por isso ele foi removido da sua conta.}}",
  "phoneNumberChanged.footer":
    "Se você não esperava isso, outra pessoa pode ter acesso à sua conta: verifique seu número de telefone em {app} e altere sua senha.",
  "passkeyRefused.subject": "Uma tentativa de entrar com chave de acesso em {app} foi recusada",
  "passkeyRefused.lead":
    "Uma tentativa de entrar na sua conta em {app} foi recusada, porque {hasLabel, select, yes {a chave de acesso “{label}”} other {a chave de acesso}} pode ter sido copiada.",
  "passkeyRefused.footer":
    "Remova esta chave de acesso em {app} e adicione uma nova. Se a tentativa não foi sua, outra pessoa pode ter uma cópia da chave de acesso.",
};
