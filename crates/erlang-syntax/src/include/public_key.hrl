%% Records of keys and certificates that programs name, written for Foresee. Their functions are not here.
-ifndef(public_key).
-define(public_key, true).

-record('SubjectPublicKeyInfoAlgorithm', {algorithm, parameters = asn1_NOVALUE}).
-record(path_validation_state, {valid_policy_tree, explicit_policy, inhibit_any_policy, policy_mapping,
                                cert_num, last_cert = false, working_public_key_algorithm,
                                working_public_key, working_public_key_parameters, working_issuer_name,
                                max_path_length, verify_fun, user_state}).
-record(policy_tree_node, {valid_policy, qualifier_set, criticality_indicator, expected_policy_set}).
-record(revoke_state, {reasons_mask, cert_status, interim_reasons_mask, valid_ext, details}).
-record('ECPoint', {point}).
-record('RSAPrivateKey', {version, modulus, publicExponent, privateExponent, prime1, prime2, exponent1,
                          exponent2, coefficient, otherPrimeInfos = asn1_NOVALUE}).
-record('RSAPublicKey', {modulus, publicExponent}).
-record('Certificate', {tbsCertificate, signatureAlgorithm, signature}).
-record('TBSCertificate', {version = asn1_DEFAULT, serialNumber, signature, issuer, validity, subject,
                           subjectPublicKeyInfo, issuerUniqueID = asn1_NOVALUE,
                           subjectUniqueID = asn1_NOVALUE, extensions = asn1_NOVALUE}).
-record('OTPCertificate', {tbsCertificate, signatureAlgorithm, signature}).
-record('OTPTBSCertificate', {version = asn1_DEFAULT, serialNumber, signature, issuer, validity, subject,
                              subjectPublicKeyInfo, issuerUniqueID = asn1_NOVALUE,
                              subjectUniqueID = asn1_NOVALUE, extensions = asn1_NOVALUE}).
-record('Validity', {notBefore, notAfter}).
-record('AttributeTypeAndValue', {type, value}).
-record('Extension', {extnID, critical = asn1_DEFAULT, extnValue}).

-define('id-at-commonName', {2, 5, 4, 3}).
-define('id-at-surname', {2, 5, 4, 4}).
-define('id-at-serialNumber', {2, 5, 4, 5}).
-define('id-at-countryName', {2, 5, 4, 6}).
-define('id-at-localityName', {2, 5, 4, 7}).
-define('id-at-stateOrProvinceName', {2, 5, 4, 8}).
-define('id-at-organizationName', {2, 5, 4, 10}).
-define('id-at-organizationalUnitName', {2, 5, 4, 11}).
-define('id-ce-subjectAltName', {2, 5, 29, 17}).
-define('id-ce-keyUsage', {2, 5, 29, 15}).
-define('id-ce-extKeyUsage', {2, 5, 29, 37}).
-define('id-ce-basicConstraints', {2, 5, 29, 19}).
-define('rsaEncryption', {1, 2, 840, 113549, 1, 1, 1}).
-define('id-ecPublicKey', {1, 2, 840, 10045, 2, 1}).

-endif.
