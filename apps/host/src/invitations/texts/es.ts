import type { InvitationWords } from './words.ts';

export const es: InvitationWords = {
  subject: 'Firme antes de su visita: {activity}, {date}',
  text: `Hola, {name}:

El {date} a las {time} le esperamos: {activity}. Por favor, lea y firme antes nuestro formulario, en el teléfono o en el ordenador. Se tarda uno o dos minutos y le ahorra la espera en recepción.

{link}

Hasta pronto
{operator}`,
  group:
    'El enlace es para todas las personas de su reserva. Por favor, reenvíelo a quienes aún no han firmado; en él se ve quién lo ha hecho.',
  sign: 'Leer y firmar',
  noName: 'estimado cliente',
  noActivity: 'su actividad',
  because: 'Recibe este mensaje por una reserva con {operator}.',
  unsubscribe: 'No recibir más mensajes como este',
  copy: {
    subject: 'Su copia de lo firmado: {operator}',
    text: `Hola:

Gracias por firmar. Con este enlace puede leer e imprimir cuando quiera lo que ha firmado:

{link}

Funciona mientras {operator} conserve lo firmado. Quien tenga el enlace puede leerlo; no lo comparta, por favor.

{operator}`,
    open: 'Abrir mi copia',
    because: 'Recibe este mensaje porque se indicó esta dirección al firmar para {operator}.',
  },
  page: {
    title: 'Mensajes antes de su visita',
    question: '¿No quiere recibir más correos de {operator} que le pidan firmar antes de una visita?',
    confirm: 'No más mensajes',
    done: 'Hecho. {operator} no volverá a escribir a esta dirección para pedir una firma.',
    unknown: 'Este enlace está incompleto. Por favor, ábralo de nuevo desde el mensaje.',
  },
};
