import { type Assumption, reading, SILENT } from './assumption.js'

const audits = ['getOfframpAudit', 'getTransferAudit']
const status = ['getTransferStatus']
/** users.list can give the list of users pages. */
const users = ['listUsers']
const paged = { operations: [...audits, ...users], otherwise: users }

export const auditAssumptions = {
  'audit.pages': {
    question: 'What does a page after the last one return?',
    ...paged,
    readings: [
      reading('empty', '200 with an empty list'),
      reading('not_found', '404; page 0 of an empty list is 200'),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence: 'a loop that ends on an empty page ends in an error',
  },
  'audit.amounts': {
    question: 'Are fiat_amount and target_amount before or after fees?',
    operations: audits,
    readings: [
      reading('net', 'after fees: what the destination account receives'),
      reading('gross', 'before fees'),
    ],
    basis: 'Resources, Transfer transaction: destination_amount is after conversion and fees.',
    risk: 'high',
    consequence: 'a client credits more than arrives, and loses the fees',
  },
  'audit.size': {
    question:
      'How large may size be, and what happens with a page or size that is malformed or out of range?',
    ...paged,
    readings: [
      reading('refused', 'at most 100, which is our guess; 400 for anything else'),
      reading(
        'clamped',
        'at most 100, which is our guess; the nearest accepted number is used, or the default if ' +
          'there is no whole number',
      ),
    ],
    basis: 'Limits: only the default of 5 is shown; 100 is a guess, and 400 the stricter reading.',
    risk: 'medium',
    consequence: 'a client gets fewer items than it asked for and takes them for all',
  },
  'audit.spelling': {
    question: 'Which statuses do the lists show, and in which case are statuses and currencies?',
    operations: audits,
    readings: [
      reading('lower', 'the statuses of the detail, in lower case; currencies in lower case'),
      reading('upper', 'the statuses of the detail, in upper case; currencies in upper case'),
      reading(
        'summary',
        'pending until the final status, then completed, failed or cancelled; currencies in lower case',
      ),
    ],
    basis:
      'Resources, Transfer audit item: pending is observed in lower case; the set of values is not shown.',
    risk: 'medium',
    consequence: 'comparisons with a status or currency that a client has seen never match',
  },
  'transfer_audit.offramps': {
    question: 'Does the transfer audit list transfers made by offramps?',
    operations: ['getTransferAudit'],
    readings: [reading('listed', 'yes'), reading('left_out', 'no')],
    basis: 'Both are currency conversions to a destination account.',
    risk: 'medium',
    consequence:
      'offramps are missing from the list, or counted twice when both lists are added up',
  },
  'conversion.rate_fixed': {
    question: 'When is the rate of a conversion fixed?',
    operations: [...audits, ...status],
    readings: [
      reading('deposit', 'when the money arrives or the transfer is created'),
      reading('conversion', 'at CONVERSION_PROCESSED; rate and amount may change until then'),
    ],
    basis: 'Resources: a list item whose observed status is pending shows rate and amount.',
    risk: 'medium',
    consequence:
      'a client promises an amount that differs from the one that arrives when rates move',
  },
  'transfer.fees_currency': {
    question: 'In which currency are fees?',
    operations: ['getTransferAudit', 'getTransferStatus'],
    readings: [reading('target', 'the target currency'), reading('source', 'the source currency')],
    basis: 'Resources: destination_amount is after fees, so they are charged in its currency.',
    risk: 'high',
    consequence: 'fees are booked in the wrong currency',
  },
  'transfer.rate': {
    question: 'In which direction is exchange_rate?',
    operations: [...audits, ...status],
    readings: [
      reading('target_per_source', 'target units for one unit of the source'),
      reading('source_per_target', 'source units for one unit of the target'),
    ],
    basis: SILENT,
    risk: 'high',
    consequence: 'amounts that a client computes by the rate are wrong',
  },
  'transfer.unconverted': {
    question: 'Are rate, fees and the amount that arrives known before the conversion?',
    operations: [...audits, ...status],
    readings: [
      reading('known', 'yes, from the start'),
      reading('null', 'no: they are null until CONVERSION_PROCESSED'),
    ],
    basis: 'Resources: they are numbers, also in a list item whose observed status is pending.',
    risk: 'medium',
    consequence: 'a client fails on null in an amount, or shows a sum of zero',
  },
  'transfer.unreached': {
    question: 'How are the times of states that are not reached yet shown?',
    operations: status,
    readings: [reading('null', 'null'), reading('absent', 'the field is left out')],
    basis: 'Other resources of the contract show null for absent values.',
    risk: 'low',
    consequence: 'a client fails on a time that is not there',
  },
} as const satisfies Record<string, Assumption>
