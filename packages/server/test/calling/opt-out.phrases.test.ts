// Which lines of a person on the phone ask for no further calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksToStop } from '../../src/calling/compliance/phrases.ts';

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const STOP = {
  en: `
    Stop calling me.
    Please stop calling me!
    Would you please stop calling this number?
    Can you just quit calling here
    Never call me again.
    Don't call me again
    Do not ever call me again, okay?
    Don’t call me anymore.
    Don't call me.
    Please, uh, don't call us any more, thank you.
    Take me off your list.
    Could you take me off, um, your calling list, please?
    Remove my number from your database.
    I want you to remove me from all of your lists.
    Put me on your do not call list.
    I'm on the do not call registry, you know.
    I don't want any more calls from you.
    I do not want to be called again.
    I don't want you to call me anymore.
    No more calls, please.
    Lose my number.
    I'd like to opt out of these calls.
    Hello? No. I said stop calling me. Bye.
    Don't, stop calling me
    If you don't stop calling me I will sue you.
    Why don't you just stop calling me?
    STOP THESE CALLS`,
  es: `
    No me llame más.
    No me llamen nunca más, por favor.
    No me vuelva a llamar.
    ¡No vuelvan a llamarme!
    Deje de llamarme.
    Dejen ya de molestarme, gracias.
    Quíteme de su lista.
    Quítenme, por favor, de su lista de llamadas.
    Borre mi número de su base de datos.
    No quiero que me llamen.
    No quiero recibir más llamadas.`,
  de: `
    Rufen Sie mich nicht mehr an.
    Rufen Sie mich nie wieder an!
    Rufen Sie bitte hier nicht mehr an.
    Ruf mich nie wieder an
    Bitte rufen Sie mich nicht an.
    Hören Sie auf, mich anzurufen.
    Hören Sie bitte endlich auf, hier anzurufen!
    Streichen Sie mich von Ihrer Liste.
    Löschen Sie meine Nummer aus Ihrer Datenbank.
    Können Sie mich bitte von Ihrer Anrufliste nehmen?
    Ich möchte nicht mehr angerufen werden.
    Ich will keine Anrufe mehr.
    Ich möchte nicht, dass Sie mich noch einmal anrufen.`,
  fr: `
    Ne m'appelez plus.
    Ne m’appelez plus jamais !
    Ne me rappelez plus, s'il vous plaît.
    Arrêtez de m'appeler.
    Cessez vos appels.
    Retirez-moi de votre liste.
    Supprimez mon numéro de votre fichier.
    Pouvez-vous me retirer de votre liste d'appels ?
    Je ne veux plus être appelé.
    Je ne veux plus recevoir d'appels.
    Je souhaite ne plus être contactée. Ne plus me contacter, merci.`,
};

const GO_ON = {
  en: `
    Don't stop calling me.
    Please don't ever stop calling me, I love these chats.
    Do not take me off your list.
    No, don't remove my number from the list!
    I never said stop calling me.
    I didn't ask you to take me off the list.
    I'm not saying you should stop calling me.
    You never call me anymore.
    My brother won't stop calling me.
    I told my ex to stop calling me.
    Call me again tomorrow.
    Don't call me before nine.
    Don't call me again today, tomorrow is better.
    Don't call me at work.
    Don't call me Bob.
    Don't hesitate to call me again.
    I don't want you to call me late in the evening.
    Stop. Let me think.
    Can you stop for a moment?
    Stop talking so fast
    Is my name on your list?
    Take the milk off my shopping list.
    I would like to opt out of the insurance.
    I don't want calls to be expensive.
    When does the bus stop?`,
  es: `
    No dejen de llamarme.
    Mi hermano no deja de llamarme.
    No me quite de la lista.
    Me llamo Juan.
    No me llamo Juan, me llamo Pedro.
    No me llame antes de las nueve.
    No me vuelva a llamar hoy, mejor mañana.
    Llámeme otra vez mañana.
    No he dicho que dejen de llamarme.
    Quite la leche de la lista.`,
  de: `
    Hören Sie nicht auf, mich anzurufen.
    Streichen Sie mich nicht von der Liste.
    Rufen Sie mich nicht vor neun an.
    Rufen Sie mich heute nicht mehr an.
    Rufen Sie mich morgen wieder an.
    Darf ich Sie morgen nicht mehr anrufen?
    Ich habe nie gesagt, hören Sie auf, mich anzurufen.
    Ich möchte nicht mehr warten.
    Nehmen Sie die Milch von der Liste.
    Sie rufen ja nie an.`,
  fr: `
    N'arrêtez pas de m'appeler.
    Ne me retirez pas de votre liste.
    Il n'arrête pas de m'appeler.
    Vous ne m'appelez jamais.
    Ne m'appelez plus avant neuf heures.
    Rappelez-moi demain.
    Je m'appelle Julie.
    Je n'ai jamais dit d'arrêter de m'appeler.
    Je ne veux plus attendre.
    Il ne faut pas me retirer de la liste.`,
};

for (const [language, text] of Object.entries(STOP))
  test(`a person who wants no more calls is understood (${language})`, () => {
    for (const line of lines(text)) assert.equal(asksToStop(line), true, line);
  });

for (const [language, text] of Object.entries(GO_ON))
  test(`a negation, another time, and somebody else's calls are no refusal (${language})`, () => {
    for (const line of lines(text)) assert.equal(asksToStop(line), false, line);
  });

test('a refusal is found in a long line, and any text takes little time', () => {
  const long = 'so as I was saying to them yesterday, '.repeat(100);
  assert.equal(asksToStop(`${long}. Take me off your list. ${long}`), true);
  for (const piece of ['stop ', 'no me ', 'take me off your ', 'a, ', 'uh, ', 'ne me ', 'i dont want any more ', "'"]) {
    const begun = process.cpuUsage();
    asksToStop(piece.repeat(70_000 / piece.length));
    const { user } = process.cpuUsage(begun);
    assert.ok(user < 500_000, `${piece}: ${user} µs`);
  }
});
