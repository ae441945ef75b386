// Which lines of a person on the phone ask for no further calls.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { asksToStop } from '../src/opt-out.ts';

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
    STOP THESE CALLS
    Please do not call this number again.
    I've asked you to stop calling me three times.
    You need to stop calling my house.
    I'd like to be removed from your calling list.
    Quit calling me, I'm not interested.
    Please add my number to your do not call list.
    I don't want to receive any more calls.
    Could you please not call me again?
    Take my name off your call list.
    We're not interested, do not contact us again.
    I want these calls to stop.
    Stop calling.
    I told you to stop calling me!
    Please opt me out of all future calls.
    Remove me from all your marketing lists, please.
    Don't call back.
    For the last time, stop calling me.
    I've told you people a hundred times to stop calling me.
    I don't want you calling me anymore.
    I do not wish to be contacted again.
    We don't want any more calls.
    My number is on the do not call list.
    Don't you dare call me again!
    You people need to stop calling me.`,
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
    No quiero recibir más llamadas.
    Por favor, deje de llamarme.
    Le pido que no me llame más.
    Quiero que dejen de llamarme.
    No me interesa, no me llamen más.
    ¿Puede dejar de llamarme?
    Podrían quitarme de su lista, por favor.
    Elimine mi número de su base de datos.
    Oiga, no me vuelva a llamar nunca.
    No quiero más llamadas de ustedes.
    Deja de llamarme ya.
    No me molesten más, gracias.
    Haga el favor de no llamarme más.
    Denme de baja de su lista.
    Que no me llamen más.
    Le estoy pidiendo que deje de llamarme.
    Ya le dije, no me llame más.`,
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
    Ich möchte nicht, dass Sie mich noch einmal anrufen.
    Bitte rufen Sie mich nie mehr an.
    Nein danke, rufen Sie hier nicht mehr an.
    Ich habe kein Interesse, rufen Sie mich nicht mehr an!
    Rufen Sie uns bitte nicht noch einmal an.
    Ich will nicht mehr von Ihnen angerufen werden.
    Ich möchte keine weiteren Anrufe.
    Nehmen Sie mich bitte aus Ihrer Kartei.
    Könnten Sie bitte aufhören, mich anzurufen?
    Keine Anrufe mehr, bitte.
    Entfernen Sie meine Nummer sofort aus Ihrem System.
    Hör auf, mich anzurufen!
    Bitte kontaktieren Sie mich nicht mehr.
    Hören Sie mit den Anrufen auf.
    Unterlassen Sie diese Anrufe!
    Wir möchten nicht mehr angerufen werden.
    Wir wollen keine Anrufe mehr.
    Ich habe Ihnen schon gesagt, dass Sie mich nicht mehr anrufen sollen.
    Wenn Sie nicht aufhören: rufen Sie mich nie wieder an!`,
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
    Je souhaite ne plus être contactée. Ne plus me contacter, merci.
    S'il vous plaît, ne m'appelez plus.
    Merci de ne plus m'appeler.
    Veuillez ne plus me contacter.
    Je vous demande d'arrêter de m'appeler.
    Pouvez-vous arrêter de m'appeler ?
    Ça ne m'intéresse pas, ne me rappelez plus.
    Arrêtez vos appels !
    Je voudrais que vous cessiez de m'appeler.
    Je ne veux plus de vos appels.
    Enlevez mon numéro de votre base de données.
    Plus d'appels, merci.
    M'appelez plus jamais.
    N'appelez plus ici.
    On ne veut plus être dérangés.
    Vous pouvez arrêter de m'appeler.
    Je vous ai déjà dit de ne plus m'appeler.
    Arrête de m'appeler !`,
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
    When does the bus stop?
    Why don't you call me again in an hour?
    If you don't call me again by Friday I will cancel
    Why did you stop calling me?
    Don't call me, I will call you
    Don't call me. I'll call you.
    They don't call us anymore
    My kids don't call me anymore
    My ex should stop calling me
    How do I stop the calls from my ex?
    Will I lose my number?
    I don't want to lose my number
    take me off the waiting list
    remove my name from the guest list
    opt me out of overdraft
    unsubscribe me from the newsletter
    I have no more calls
    Stop calling me baby
    He doesn't call me anymore.
    She said stop calling me, so I did.
    My boss told me: don't call me again.
    My kids moved out and don't call me anymore.
    Did you stop calling my house?
    What happens if I tell you to stop calling me?
    If I say stop calling me, will you?
    I can't ask you to stop calling me.
    Don't call me crazy.
    Don't call me again in the morning.
    Take me off your guest list.
    Remove me from your mailing list for the magazine.
    Take me off speaker.
    Please don't stop the calls, they help me.
    I do not want to miss any more calls.
    I don't want these calls to stop.
    They want me to stop calling here.
    Would you not call me if it rains?
    Have you already taken me off your list?
    After you took me off your list it was quiet.
    Nobody told you to stop calling me.
    Don't call this number, use the other one.
    Don't call me now, I'm driving.
    Hello, I got a voicemail saying stop calling me.
    Can you tell my son to stop calling me?
    I blocked him so he would stop calling me.
    Who told you to stop calling me?
    No need to take me off your list.
    Will you take me off your list if I pay?
    I am on the do not call list, but I don't mind your calls.
    Don't phone me, email me.`,
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
    Quite la leche de la lista.
    Mi ex nunca deja de llamarme
    Mi hijo no me llama nunca.
    Ella no me llama más.
    ¿Por qué no me llama más tarde?
    ¿Por qué dejaron de llamarme?
    Si no me llama mañana, cancelo.
    Mi jefe dijo que no me llame más.
    No quiero que dejen de llamarme.
    Mis hijos ya no me llaman.
    Quíteme de la lista de espera.
    Bórreme de su lista de invitados.
    No me llame, yo le llamo.
    No me llame tonto.
    Cuando se enfada deja de llamarme.
    Espero que no me llame mi ex.
    No me deje de llamar, por favor.
    Ya no recibo más llamadas.
    ¿Voy a perder mi número?
    Ojalá no me llamen del hospital.
    No quiero perder sus llamadas.
    No me llame ahora, estoy conduciendo.
    ¿Qué hago para que dejen de llamarme?
    Dígale que no me llame más.
    Deje de llamarme señora.
    Dejen de llamar a mi puerta.`,
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
    Sie rufen ja nie an.
    Warum rufen Sie mich nicht an?
    Mein Sohn ruft mich nicht mehr an
    Meine Tochter ruft mich nie an
    Er ruft mich nicht mehr an.
    Die Kinder rufen uns nie an.
    Mein Mann ist weg und ruft mich nicht mehr an.
    Wieso rufen Sie mich nie an?
    Wenn Sie mich nicht mehr anrufen, kündige ich.
    Rufen Sie mich nicht an, ich rufe Sie an.
    Rufen Sie mich nicht mehr an, wenn ich arbeite.
    Ich bekomme keine Anrufe mehr.
    Ich kann Sie nicht mehr anrufen.
    Mein Bruder hört nicht auf, mich anzurufen.
    Streichen Sie mich von der Warteliste.
    Nehmen Sie mich von Ihrer Gästeliste.
    Ich will keine Anrufe verpassen.
    Mein Chef sagte, rufen Sie mich nicht mehr an.
    Ich möchte nicht, dass Sie aufhören, mich anzurufen.
    Soll ich Sie nicht mehr anrufen?
    Verliere ich meine Nummer?
    Rufen Sie mich nie vor acht an.
    Warum ruft ihr mich nicht mehr an?
    Rufen Sie mich jetzt nicht an.
    Sie rufen mich ja nie an.
    Und dann sagt sie, ruf mich nie wieder an.
    Ich möchte nicht angerufen werden, wenn ich schlafe.`,
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
    Il ne faut pas me retirer de la liste.
    Ma fille ne m'appelle plus
    Je reçois de plus en plus d'appels
    Mon fils ne m'appelle jamais.
    Elle ne me rappelle plus.
    Mes enfants ne m'appellent plus.
    Pourquoi ne m'appelez-vous plus ?
    Pourquoi avez-vous arrêté de m'appeler ?
    Si vous ne m'appelez plus, je résilie.
    Ne m'appelez pas, je vous appelle.
    Ne m'appelez plus, c'est moi qui vous rappelle.
    Arrêtez de m'appeler chérie.
    Il a promis de ne plus m'appeler.
    Retirez-moi de la liste d'attente.
    Enlevez-moi de votre liste d'invités.
    Je n'ai plus d'appels.
    Est-ce que je vais perdre mon numéro ?
    Mon ex n'arrête pas de m'appeler.
    Mon patron m'a dit : ne m'appelez plus.
    Je ne veux pas que vous arrêtiez de m'appeler.
    Quand il est fâché, il arrête de m'appeler.
    Je ne veux plus rater d'appels.
    Je veux plus d'appels.
    Dites à mon ex de ne plus m'appeler.
    Ne m'appelez plus Madame.
    Personne ne m'appelle jamais.
    Ma mère me dit, arrête de m'appeler.`,
};

for (const [language, text] of Object.entries(STOP))
  test(`a person who wants no more calls is understood (${language})`, () => {
    for (const line of lines(text)) assert.equal(asksToStop(line), true, line);
  });

for (const [language, text] of Object.entries(GO_ON))
  test(`a negation, another time, and somebody else's calls are no refusal (${language})`, () => {
    for (const line of lines(text)) assert.equal(asksToStop(line), false, line);
  });

test('a refusal is found in a long line', () => {
  const long = 'so as I was saying to them yesterday, '.repeat(100);
  assert.equal(asksToStop(`${long}. Take me off your list. ${long}`), true);
});

/** Characters of a line that are read. */
const LENGTH = 8_000;
const STORED = new URL('../src/data/opt-out-phrases.json', import.meta.url);

function patterns(): string[] {
  const { languages } = JSON.parse(readFileSync(STORED, 'utf8'));
  const lists = Object.values<Record<string, string[] | Record<string, string>>>(languages).flatMap(Object.values);
  return lists.flatMap<string>(Object.values);
}

test('no pattern repeats anything without a bound, but the characters of a word', () => {
  assert.ok(patterns().length > 100);
  for (const one of patterns()) {
    const repetitions = one.replaceAll('[^ ]+', '').match(/[*+]|\{\d*,?\d*\}/g) ?? [];
    for (const repetition of repetitions) assert.match(repetition, /^\{[01],\d\}$/, one);
  }
});

test('any line takes little time: of the words of each pattern, over and over, and such that nearly match', () => {
  const fill = (begun: string, piece: string) => `${begun}${piece.repeat(LENGTH / piece.length)}`.slice(0, LENGTH - 2);
  const lines = patterns().flatMap((pattern) => {
    const words = pattern.match(/[a-z]+(?: [a-z]+)*/g) ?? ['x'];
    const last = words.at(-1);
    return [fill('', `${words.join(' ')} `), fill(`${words.join(' ')} `, `${last} `)];
  });
  const pieces = [
    'stop ',
    'no me ',
    'take me off your ',
    'a, ',
    'uh, ',
    'ne me ',
    'i dont want any more ',
    "'",
    ',',
    'u',
    '. ',
  ];
  lines.push(
    fill('no me llame', ' nunca mas'),
    fill('i dont want to be called', ' ever again'),
    fill('i dont want', ' any more'),
    ...pieces.map((piece) => fill('', piece)),
  );
  for (const line of lines) {
    const begun = process.cpuUsage();
    asksToStop(`${line} x`);
    const { user } = process.cpuUsage(begun);
    assert.ok(user < 1_000_000, `${line.slice(0, 100)}: ${user} µs`);
  }
});
